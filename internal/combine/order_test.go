package combine

import (
	"fmt"
	"testing"
)

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		n     int
		after map[int][]int
		want  string
	}{
		{0, nil, "[]"},
		{3, nil, "[0 1 2]"},
		{3, map[int][]int{0: {2}}, "[2 0 1]"},
		{4, map[int][]int{0: {1}, 1: {2}, 2: {3}}, "[3 2 1 0]"},
		{3, map[int][]int{0: {1}, 1: {0}}, "[1 0 2]"},
		{2, map[int][]int{0: {7, 0}}, "[0 1]"},
	} {
		if got := fmt.Sprint(Order(c.n, c.after)); got != c.want {
			t.Errorf("%d with %v: %s, want %s", c.n, c.after, got, c.want)
		}
	}
}
