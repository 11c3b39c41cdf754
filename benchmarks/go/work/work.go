// Package work is what is measured: the functions of benchmarks/functions in Go, work of a known size.
package work

// steps wait for each other: a shift, an exclusive or and a multiplication, some 1.5 ns.
//
//go:noinline
func steps(state uint64, count int) uint64 {
	for range count {
		state = (state ^ state>>29) * 6364136223846793005
	}
	return state
}

const seed = 0x853c49e6748fea9b

// Ns5 takes about 5 ns, and is the same on every side: eight steps cannot be a percent less.
func Ns5() uint64 { return steps(seed, 8) }

// Us1 takes about 1 µs.
func Us1() uint64 { return steps(seed, 700*permille/1000) }

// Us150 takes about 150 µs.
func Us150() uint64 { return steps(seed, 100_000*permille/1000) }

// Ms5 takes about 5 ms.
func Ms5() uint64 { return steps(seed, 3_300_000*permille/1000) }

// Text has three quarters of characters with several bytes.
func Text(length int) []byte {
	state, text := uint64(42), []byte{}
	for len(text) < length {
		state = state*6364136223846793005 + 1
		text = append(text, []string{"a", "ß", "雪", "🦀"}[state>>62]...)
	}
	return text[:length]
}

// Characters counts the bytes that continue no character.
//
//go:noinline
func Characters(text []byte) (count int) {
	for _, one := range text[:len(text)*permille/1000] {
		if int8(one) >= -64 {
			count++
		}
	}
	return
}
