package combine

import "context"

// breaker finds the place of the branch with which the check begins to fail, -1 when it
// passes. It halves those that are in: the check passed before low and fails with high.
func (r *run) breaker(ctx context.Context) (int, error) {
	high := len(r.in)
	if ok, err := r.check(ctx, r.head(high)); ok || err != nil {
		return -1, err
	}
	low := 0
	for high-low > 1 {
		middle := (low + high) / 2
		ok, err := r.check(ctx, r.head(middle))
		if err != nil {
			return 0, err
		}
		if ok {
			low = middle
		} else {
			high = middle
		}
	}
	// Nobody is named before the check passed without it.
	if ok, err := r.check(ctx, r.head(low)); err != nil {
		return 0, err
	} else if !ok {
		return 0, &BaseError{Output: r.say[r.o.Base], Checks: r.n}
	}
	return high - 1, nil
}

// check runs the check on a commit, once.
func (r *run) check(ctx context.Context, commit string) (bool, error) {
	if ok, known := r.ok[commit]; known {
		return ok, nil
	}
	r.n++
	v, err := r.o.Check(ctx, commit)
	if err != nil {
		return false, err
	}
	r.ok[commit], r.say[commit] = v.OK, v.Output
	return v.OK, nil
}
