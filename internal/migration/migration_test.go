package migration

import (
	"reflect"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"db/migrate/20240102030405_add_users.rb":              "db/migrate 20240102030405",
		"db/migrate/20240102030405_add_users.sql":             "db/migrate 20240102030405",
		"app/migrations/0003_add_flag.py":                     "app/migrations 3",
		"app/migrations/__init__.py":                          "",
		"migrations/000012_x.up.sql":                          "migrations 12",
		"migrations/000012_x.down.sql":                        "migrations 12",
		"src/main/resources/db/migration/V3__add.sql":         "src/main/resources/db/migration 3",
		"src/main/resources/db/migration/V1.2__add.sql":       "src/main/resources/db/migration 1.2",
		"src/main/resources/db/migration/V1_02__add.sql":      "src/main/resources/db/migration 1.2",
		"src/main/resources/db/migration/V2.0__add.sql":       "src/main/resources/db/migration 2",
		"src/main/resources/db/migration/R__views.sql":        "",
		"src/main/resources/db/migration/U3__undo.sql":        "",
		"src/migration/plan.go":                               "",
		"db/migrations/V7_plain.sql":                          "db/migrations 7",
		"prisma/migrations/20240102030405_init/migration.sql": "prisma/migrations 20240102030405",
		"prisma/migrations/migration_lock.toml":               "",
		"migrations/2024-01-02-030405_users/up.sql":           "migrations 20240102030405",
		"database/migrations/2024_01_02_030405_users.php":     "database/migrations 20240102030405",
		"db/migrations/20240102_0304_users.sql":               "db/migrations 202401020304",
		"db/migrations/20240102_users.sql":                    "db/migrations 20240102",
		"db/migrations/0001_2024_totals.sql":                  "db/migrations 1",
		"db/migrations/2024_totals.sql":                       "db/migrations 2024",
		"db/migrations/1700000000000-Users.ts":                "db/migrations 1700000000000",
		"db/migrations/1a2b3c4d_hash.py":                      "",
		"pkg/migrate/2fa.go":                                  "",
		"db/migrations/000.sql":                               "db/migrations 0",
		"db/migrations/5":                                     "db/migrations 5",
		"alembic/versions/1a2b3c4d_add.py":                    "alembic/versions chained",
		"migrations/versions/12345678_add.py":                 "migrations/versions chained",
		"alembic/versions/README":                             "",
		"versions/0001_x.py":                                  "",
		"schema/steps/0007.xml":                               "schema/steps 7",
		"0001_x.sql":                                          "",
		"migrations":                                          "",
		"migrations/99999999999999999999999999_x.sql":         "migrations 99999999999999999999999999",
	} {
		got := ""
		if e, ok := Of(file, []string{"schema/steps"}); ok {
			got = e.Dir + " " + e.Number
			if e.Chained {
				got += "chained"
			}
		}
		if got != want {
			t.Errorf("Of(%q) = %q, want %q", file, got, want)
		}
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		example, taken, want string
	}{
		{"0042", "41 42", "0043"},
		{"0042", "41 42 43 7", "0044"},
		{"0009", "9", "0010"},
		{"9999", "9999", "10000"},
		{"3", "1 2 3", "4"},
		{"1.2", "1 1.2", "1.3"},
		{"1.2", "1.2 2.1", "2.2"},
		{"1_2", "1.2", "1_3"},
		{"20240102030405", "20240102030405", "20240102030406"},
		{"20231231235959", "3", "20240101000000"},
		{"2024_01_02_030405", "20240102030459", "2024_01_02_030500"},
		{"0042", "20240102030405", "0043"},
		{"1700000000000", "1700000000000", "1700000000001"},
		{"99999999999999999999999999", "99999999999999999999999999", "100000000000000000000000000"},
	} {
		if got := Next(c.example, strings.Fields(c.taken)); got != c.want {
			t.Errorf("Next(%q, %q) = %q, want %q", c.example, c.taken, got, c.want)
		}
	}
}

// The next number is never one that is taken, and reads as the number it is.
func FuzzNext(f *testing.F) {
	f.Add("0042", "0042_x", "V1.2__y")
	f.Add("2024_01_02_030405", "20240102_0304_z", "9_")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		example, spelled := number(a)
		if example == "" {
			return
		}
		var taken []string
		for _, s := range []string{a, b, c} {
			if n, _ := number(s); n != "" {
				taken = append(taken, n)
			}
		}
		next := Next(spelled, taken)
		if next == "" {
			t.Fatalf("no number after %q", taken)
		}
		for _, n := range taken {
			if n == next {
				t.Errorf("Next(%q, %q) = %q, which is taken", spelled, taken, next)
			}
		}
		_, _ = Of("migrations/"+a, nil)
		Read("app/migrations/x.py", []byte(a+b))
		Read("alembic/versions/x.py", []byte(b+c))
	})
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, content string
		want          Revision
		ok            bool
	}{
		{"alembic/versions/a.py", "\"\"\"x\n\nRevises: b\n\"\"\"\nrevision = 'a1'\ndown_revision = 'b2'\n", Revision{"a1", []string{"b2"}}, true},
		{"alembic/versions/a.py", "revision: str = \"a1\"\ndown_revision: Union[str, None] = None\n", Revision{"a1", nil}, true},
		{"migrations/versions/a.py", "revision = \"a1\"\ndown_revision = (\n    'b2',\n    'c3',\n)\n", Revision{"a1", []string{"b2", "c3"}}, true},
		{"alembic/versions/a.py", "def upgrade(): pass\n", Revision{}, false},
		{"shop/migrations/0003_x.py", "class Migration(migrations.Migration):\n    dependencies = [\n        (\"auth\", \"0001_initial\"),\n        ('shop', '0002_y'),\n    ]\n\n    operations = [\n        (\"shop\", \"nothing\"),\n    ]\n", Revision{"0003_x", []string{"0002_y"}}, true},
		{"shop/migrations/0003_x.py", "class Migration(migrations.Migration):\n    dependencies = [('shop', '0002_y')]\n    operations = []\n", Revision{"0003_x", []string{"0002_y"}}, true},
		{"shop/migrations/0003_x.py", "class Migration(migrations.Migration):\n    dependencies = [migrations.swappable_dependency(settings.AUTH), ('shop', '0002_y')]\n", Revision{"0003_x", []string{"0002_y"}}, true},
		{"shop/migrations/0001_initial.py", "class Migration(migrations.Migration):\n    initial = True\n    dependencies = []\n", Revision{"0001_initial", nil}, true},
		{"shop/migrations/0001_plain.py", "def up(): pass\n", Revision{}, false},
		{"shop/migrations/0001.sql", "class Migration(", Revision{}, false},
	} {
		got, ok := Read(c.file, []byte(c.content))
		if ok != c.ok || !reflect.DeepEqual(got, c.want) {
			t.Errorf("Read(%q, %q) = %+v, %v", c.file, c.content, got, ok)
		}
	}
}

func TestHanded(t *testing.T) {
	t.Parallel()
	for resource, want := range map[string]string{
		"next:db/migrate/0043": "db/migrate 43", "next:db/migrate#43": "db/migrate 43", "next:db/migrate:43": "db/migrate 43",
		"next:db/migrate": "", "res:dev-db": "", "issue:278": "", "next:": "", "next:/4": "", "": "",
	} {
		got := ""
		if dir, n, ok := Handed(resource); ok {
			got = dir + " " + n
		}
		if got != want {
			t.Errorf("Handed(%q) = %q, want %q", resource, got, want)
		}
	}
}
