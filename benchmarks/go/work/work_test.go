package work

import (
	"fmt"
	"testing"
)

func BenchmarkNothing(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkNs5(b *testing.B) {
	for b.Loop() {
		Ns5()
	}
}

func BenchmarkUs1(b *testing.B) {
	for b.Loop() {
		Us1()
	}
}

func BenchmarkUs150(b *testing.B) {
	for b.Loop() {
		Us150()
	}
}

func BenchmarkMs5(b *testing.B) {
	for b.Loop() {
		Ms5()
	}
}

func BenchmarkUtf8(b *testing.B) {
	for _, length := range []int{5000, 100_000} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			text := Text(length)
			for b.Loop() {
				Characters(text)
			}
		})
	}
}
