// Lets the benchmarks of a test binary be run by evenhand, turn by turn (docs/protocol.md). Added to the package testing when the
// binary is built, together with a few calls in testing.go and benchmark.go; see docs/go.md. It imports nothing that testing did
// not import before, but syscall and unsafe, so that every package can be tested with it.

package testing

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const (
	evenhandVersion = 1
	evenhandLongest = 1 << 24
	// Where the turn page says that it is over, and how large it is.
	evenhandOver = math.MaxUint32
	evenhandPage = 3904
	// Limits of the pilot: its time in all, its turns, the time of a turn, and the iterations of a turn.
	evenhandPilot      = 200 * time.Microsecond
	evenhandPilots     = 5
	evenhandShort      = 20 * time.Microsecond
	evenhandIterations = 10_000
)

// evenhand is nil unless a host has started this program.
var evenhand *evenhandWorker

type evenhandWorker struct {
	requests, answers int
	page              []byte
	host              int
	greeted           time.Time
	cost              float64
	prefix            string
	// The file that says how long a thread waited, by its number.
	delays map[int]int

	benchmarks []evenhandBenchmark
	listing    bool
	// The benchmark that is being made ready, by its full name.
	target string
	served bool
	ended  bool

	// Of the benchmark that is ready.
	loops   bool
	threads int
	turn    *evenhandTurn
}

type evenhandBenchmark struct {
	name string
	// Why it cannot be run.
	failed string
}

type evenhandTurn struct {
	number             uint32
	slot, next         byte
	onPage             bool
	came, over, handed bool
	started            time.Duration
	// Whether it is asked how long it waited for a processor, and what was known of that around it.
	waits         bool
	before, after evenhandDelay
}

// evenhandDelay is what the system knows of the thread that runs a turn, in nanoseconds.
type evenhandDelay struct {
	thread         int
	waited, others float64
	at             time.Time
}

// evenhandBegin looks for a host, once the flags are parsed.
func evenhandBegin() {
	said, ok := os.LookupEnv("EVENHAND_WORKER")
	if !ok || evenhand != nil {
		return
	}
	// Programs that a benchmark starts have no business with the host.
	os.Unsetenv("EVENHAND_WORKER")
	var descriptors []int
	for _, word := range strings.Split(said, ",") {
		number, err := strconv.Atoi(word)
		if err != nil {
			fmt.Fprintf(os.Stderr, "evenhand: EVENHAND_WORKER=%q names no descriptors\n", said)
			os.Exit(2)
		}
		syscall.CloseOnExec(number)
		descriptors = append(descriptors, number)
	}
	if len(descriptors) < 2 {
		fmt.Fprintf(os.Stderr, "evenhand: EVENHAND_WORKER=%q names no two descriptors\n", said)
		os.Exit(2)
	}
	evenhand = &evenhandWorker{requests: descriptors[0], answers: descriptors[1], host: os.Getppid(), prefix: os.Getenv("EVENHAND_GO_PREFIX"), delays: map[int]int{}}
	if len(descriptors) > 2 {
		evenhand.page = evenhandMap(descriptors[2])
	}
	*match = "^$"
	if *matchBenchmarks == "" {
		*matchBenchmarks = "."
	}
	// As go test asks for: a benchmark that ends the program is an error of its own.
	*panicOnExit0 = true
	// b.Loop would otherwise run for a second each time.
	benchTime = durationOrCountFlag{n: 1}
}

// evenhandMap maps the turn page, if it is long enough and nobody can cut it.
func evenhandMap(descriptor int) []byte {
	const getSeals, sealShrink = 1034, 2
	seals, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(descriptor), getSeals, 0)
	var about syscall.Stat_t
	if errno != 0 || seals&sealShrink == 0 || syscall.Fstat(descriptor, &about) != nil || about.Size < evenhandPage {
		return nil
	}
	page, err := syscall.Mmap(descriptor, 0, evenhandPage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	return page
}

// evenhandServe answers the host until it says bye or goes away.
func evenhandServe(main *B) bool {
	h := evenhand
	for !h.ended {
		kind, body, ok := h.read()
		if !ok {
			break
		}
		switch kind {
		case 1:
			h.hello()
		case 2:
			h.list(main)
		case 3:
			h.prepare(main, int(body.number(4)))
		case 6:
			h.ended = true
		default:
			h.fail("no benchmark is ready: prepare one first")
		}
	}
	return true
}

func (h *evenhandWorker) hello() {
	least := time.Duration(math.MaxInt64)
	for range 1000 {
		now := highPrecisionTimeNow()
		least = min(least, highPrecisionTimeSince(now))
	}
	h.cost, h.greeted = float64(least.Nanoseconds()), time.Now()
	answer := evenhandBody("evenhand")
	answer.put(2, evenhandVersion)
	answer.text(runtime.Version())
	answer.text("time.Now")
	answer.float(1)
	answer.float(h.cost)
	answer.float(0)
	answer.flag(h.page != nil)
	h.answer(1, answer)
}

// list runs each benchmark once: what sub-benchmarks there are is known to the code alone.
func (h *evenhandWorker) list(main *B) {
	h.listing, h.benchmarks = true, nil
	main.bstate.match.clearSubNames()
	main.runN(1)
	h.listing = false
	answer := evenhandBody("")
	answer.put(4, uint64(len(h.benchmarks)))
	for _, one := range h.benchmarks {
		answer.text(h.prefix + strings.TrimPrefix(one.name, "Benchmark"))
		answer.text("")
		answer.flag(false)
		answer.put(4, 0)
	}
	h.answer(2, answer)
}

// prepare makes a benchmark ready. Without a list, EVENHAND_BENCHMARK names the only one that the launch will prepare: to make the
// list, every benchmark would have to run once in each launch.
func (h *evenhandWorker) prepare(main *B, place int) {
	if name, ok := os.LookupEnv("EVENHAND_BENCHMARK"); ok && h.benchmarks == nil {
		name = "Benchmark" + strings.TrimPrefix(name, h.prefix)
		h.benchmarks = slices.Repeat([]evenhandBenchmark{{name: name}}, place+1)
	}
	if place >= len(h.benchmarks) {
		h.fail(fmt.Sprintf("no benchmark %d here", place))
		return
	}
	one := h.benchmarks[place]
	if one.failed != "" {
		h.fail(one.failed)
		return
	}
	h.target, h.served = one.name, false
	main.bstate.match.clearSubNames()
	main.runN(1)
	h.target = ""
	if !h.served {
		h.fail("it was there when benchmarks were listed, and is not any more")
	}
}

// evenhandServing reports whether a host decides what runs when.
func evenhandServing() bool { return evenhand != nil }

// evenhandWants reports whether a benchmark, or one inside it, is to run.
func evenhandWants(name string) bool {
	h := evenhand
	return h == nil || h.listing || name == h.target || strings.HasPrefix(h.target, name+"/")
}

// evenhandLeft notes a benchmark whose first iteration was not followed by others.
func evenhandLeft(b *B) {
	h := evenhand
	if h == nil || !b.failed || b.hasSub.Load() {
		return
	}
	why := "it failed: " + strings.TrimSpace(string(b.output))
	if h.listing {
		h.benchmarks = append(h.benchmarks, evenhandBenchmark{b.name, why})
	} else if !h.served {
		h.served = true
		h.fail(why)
	}
}

// evenhandLaunch stands for launch, which would run a benchmark for a second.
func evenhandLaunch(b *B) {
	h := evenhand
	if h.listing {
		h.benchmarks = append(h.benchmarks, evenhandBenchmark{name: b.name})
		return
	}
	h.served, h.loops = true, b.loop.n > 0
	done := false
	defer func() {
		h.turn = nil
		// A benchmark may end its goroutine (b.Fatal) in the middle of a request.
		if !done {
			h.fail("it failed: " + strings.TrimSpace(string(b.output)))
		}
	}()
	once, ok := h.pilot(b)
	if !ok {
		return
	}
	units := h.prepared(b, once)
	for {
		kind, body, ok := h.read()
		if !ok || kind == 6 {
			h.ended, done = true, true
			return
		}
		switch kind {
		case 4:
			if !h.run(b, body, units) {
				return
			}
		case 5:
			h.answer(5, evenhandBody(""))
			done = true
			return
		default:
			h.fail("a benchmark is ready: run it or finish it")
		}
	}
}

// pilot reports about how long an iteration takes, in nanoseconds.
func (h *evenhandWorker) pilot(b *B) (float64, bool) {
	least, spent, n := math.Inf(1), time.Duration(0), 1
	for range evenhandPilots {
		if !h.one(b, n, &evenhandTurn{}) {
			return 0, false
		}
		least = min(least, h.wall(b)/float64(n))
		spent += b.duration
		if spent > evenhandPilot {
			break
		}
		n = int(min(max(float64(evenhandShort)/max(least, 0.1), 1), evenhandIterations))
	}
	return least, true
}

// prepared says what is known of the benchmark, and answers the units of its metrics.
func (h *evenhandWorker) prepared(b *B, once float64) []string {
	var units []string
	for unit := range b.extra {
		if unit != "ns/op" {
			units = append(units, unit)
		}
	}
	slices.Sort(units)
	if *benchmarkMemory || b.showAllocResult {
		units = append(units, "B/op", "allocs/op")
	}
	answer := evenhandBody("")
	answer.float(once)
	answer.put(4, uint64(max(h.threads, 1)))
	if b.bytes > 0 {
		answer.put(4, 1)
		answer.text("bytes")
		answer.float(float64(b.bytes))
	} else {
		answer.put(4, 0)
	}
	answer.put(4, uint64(len(units)))
	for _, unit := range units {
		answer.text(unit)
		answer.text("")
		answer.flag(strings.HasSuffix(unit, "/s"))
	}
	h.answer(3, answer)
	return units
}

// run runs the turns of a request. It reports false when the benchmark failed.
func (h *evenhandWorker) run(b *B, body *evenhandBytes, units []string) bool {
	n, slot := int(body.number(8)), byte(body.number(1))
	waits := body.number(1) == 1
	count := int(body.number(4))
	samples, answer := 0, evenhandBody("")
	var before runtime.MemStats
	counts := slices.Contains(units, "allocs/op")
	if counts {
		runtime.ReadMemStats(&before)
	}
	values := map[string]float64{}
	for range count {
		body.number(8) // The payload: a benchmark of Go makes its input itself.
		turn := &evenhandTurn{slot: slot, waits: waits}
		if body.number(1) == 1 {
			turn.onPage, turn.number, turn.next = true, uint32(body.number(4)), byte(body.number(1))
		}
		if !h.one(b, n, turn) {
			return false
		}
		if turn.over {
			break
		}
		answer.put(8, uint64(turn.started))
		answer.float(h.wall(b))
		answer.float(turn.waited(h.wall(b)))
		answer.put(4, uint64(len(units)))
		for _, unit := range units {
			value, ok := b.extra[unit]
			if !ok {
				value = math.NaN()
			}
			answer.float(value)
		}
		samples++
	}
	if counts {
		var after runtime.MemStats
		runtime.ReadMemStats(&after)
		iterations := float64(max(1, samples*n))
		values["allocs/op"] = float64(after.Mallocs-before.Mallocs) / iterations
		values["B/op"] = float64(after.TotalAlloc-before.TotalAlloc) / iterations
		answer.fillIn(samples, units, values)
	}
	whole := evenhandBody("")
	whole.put(8, 0)
	whole.put(4, uint64(samples))
	whole.bytes = append(whole.bytes, answer.bytes...)
	h.answer(4, whole)
	return true
}

// one runs a turn, and reports false when the benchmark failed.
func (h *evenhandWorker) one(b *B, n int, turn *evenhandTurn) bool {
	h.turn, b.benchTime = turn, durationOrCountFlag{n: n}
	b.runN(n)
	h.turn = nil
	return !b.failed
}

// wall is what the timer of the benchmark says, in nanoseconds, without what reading the clock takes.
func (h *evenhandWorker) wall(b *B) float64 {
	return max(float64(b.duration.Nanoseconds())-h.cost, 0)
}

// evenhandBefore waits for the turn of a benchmark that counts to b.N.
func evenhandBefore() {
	if h := evenhand; h != nil && h.turn != nil && !h.loops {
		h.wait()
	}
}

// evenhandFirst waits for the turn of a benchmark with b.Loop, after what it has set up.
func evenhandFirst() {
	if h := evenhand; h != nil && h.turn != nil && h.loops {
		h.wait()
	}
}

// evenhandAfter hands the turn on, as soon as the timer is stopped.
func evenhandAfter() {
	h := evenhand
	if h == nil || h.turn == nil || h.turn.handed {
		return
	}
	if !h.turn.came {
		h.wait()
	}
	h.turn.handed = true
	if h.turn.waits {
		h.turn.after = h.delay()
	}
	if turn := h.turn; turn.onPage && !turn.over {
		slot := h.slot(turn.next)
		atomic.StoreUint32(slot, turn.number+1)
		const wake = 1
		syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(slot)), wake, 1, 0, 0, 0)
	}
}

// evenhandCall runs a benchmark. With a host, a panic fails it alone: there are others.
func evenhandCall(b *B) {
	if evenhand != nil {
		defer func() {
			if what := recover(); what != nil {
				b.output = fmt.Appendf(b.output, "panic: %v%s", what, evenhandWhere())
				b.Fail()
			}
		}()
	}
	b.benchFunc(b)
}

// evenhandWhere is the line that has panicked, which is the first outside of the runtime.
func evenhandWhere() string {
	pc := make([]uintptr, maxStackLen)
	frames := runtime.CallersFrames(pc[:runtime.Callers(1, pc)])
	panicked := false
	for {
		frame, more := frames.Next()
		isOfRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if panicked && !isOfRuntime {
			return fmt.Sprintf(" (%s:%d)", frame.File[strings.LastIndex(frame.File, "/")+1:], frame.Line)
		}
		panicked = panicked || isOfRuntime
		if !more {
			return ""
		}
	}
}

// evenhandThreads notes how many goroutines a benchmark runs at once.
func evenhandThreads(count int) {
	if evenhand != nil {
		evenhand.threads = max(evenhand.threads, count)
	}
}

// evenhandReadMemStats stops the world, which no turn has time for.
func evenhandReadMemStats(stats *runtime.MemStats) {
	if evenhand == nil {
		runtime.ReadMemStats(stats)
	}
}

func (h *evenhandWorker) slot(number byte) *uint32 {
	return (*uint32)(unsafe.Pointer(&h.page[64*(1+int(number))]))
}

func (h *evenhandWorker) wait() {
	turn := h.turn
	turn.came = true
	for turn.onPage {
		slot := h.slot(turn.slot)
		shown := atomic.LoadUint32(slot)
		if shown == evenhandOver || atomic.LoadUint32((*uint32)(unsafe.Pointer(&h.page[0]))) != 0 {
			turn.over = true
			break
		}
		if shown >= turn.number {
			break
		}
		const wait = 0
		patience := syscall.NsecToTimespec(50e6)
		syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(slot)), wait, uintptr(shown), uintptr(unsafe.Pointer(&patience)), 0, 0)
		if os.Getppid() != h.host {
			turn.over = true
			break
		}
	}
	turn.started = time.Since(h.greeted)
	if turn.waits {
		turn.before = h.delay()
	}
}

// delay asks how long this thread has waited for a processor so far, and how long the other threads of the program ran. Nothing is locked
// to its thread: a benchmark with goroutines would not be the same.
func (h *evenhandWorker) delay() evenhandDelay {
	at, thread := time.Now(), syscall.Gettid()
	file, known := h.delays[thread]
	if !known {
		path := fmt.Sprintf("/proc/self/task/%d/schedstat", thread)
		file, _ = syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		h.delays[thread] = file
	}
	var text [128]byte
	count, err := syscall.Pread(file, text[:], 0)
	words := strings.Fields(string(text[:max(count, 0)]))
	if err != nil || len(words) < 2 {
		return evenhandDelay{thread: thread, waited: math.NaN(), at: at}
	}
	waited, _ := strconv.ParseFloat(words[1], 64)
	const ofProgram, ofThread = 2, 3
	return evenhandDelay{thread, waited, evenhandClock(ofProgram) - evenhandClock(ofThread), at}
}

func evenhandClock(clock uintptr) float64 {
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&now)), 0)
	return float64(now.Nano())
}

// waited is what of the time of a turn surely was waiting for other programs, in nanoseconds. It may have waited for threads of its own
// program, such as those of the garbage collector, as long as these ran: that is the benchmark's own doing. NaN: the turn changed its thread.
func (t *evenhandTurn) waited(wall float64) float64 {
	if !t.waits || t.before.thread != t.after.thread {
		return math.NaN()
	}
	outside := max(float64(t.after.at.Sub(t.before.at).Nanoseconds())-wall, 0)
	own := t.after.others - t.before.others
	inside := t.after.waited - t.before.waited - outside - own
	if inside < 0 || inside >= wall {
		return 0
	}
	return inside
}

// evenhandBytes is a message that is written or read.
type evenhandBytes struct {
	bytes []byte
}

func evenhandBody(start string) *evenhandBytes { return &evenhandBytes{[]byte(start)} }

func (m *evenhandBytes) put(size int, number uint64) {
	for place := range size {
		m.bytes = append(m.bytes, byte(number>>(8*place)))
	}
}

func (m *evenhandBytes) float(number float64) { m.put(8, math.Float64bits(number)) }

func (m *evenhandBytes) text(words string) {
	words = strings.ToValidUTF8(words, "\uFFFD")
	m.put(4, uint64(len(words)))
	m.bytes = append(m.bytes, words...)
}

func (m *evenhandBytes) flag(flag bool) {
	if flag {
		m.put(1, 1)
	} else {
		m.put(1, 0)
	}
}

// number takes a number off the front. A message that is too short is full of zeros: the host is ours.
func (m *evenhandBytes) number(size int) uint64 {
	var number uint64
	for place := range min(size, len(m.bytes)) {
		number |= uint64(m.bytes[place]) << (8 * place)
	}
	m.bytes = m.bytes[min(size, len(m.bytes)):]
	return number
}

// fillIn writes what is known of all samples of a request together into each.
func (m *evenhandBytes) fillIn(samples int, units []string, values map[string]float64) {
	const head = 8 + 8 + 8 + 4
	size := head + 8*len(units)
	for sample := range samples {
		for place, unit := range units {
			if value, ok := values[unit]; ok {
				number := evenhandBody("")
				number.float(value)
				copy(m.bytes[sample*size+head+8*place:], number.bytes)
			}
		}
	}
}

func (h *evenhandWorker) fail(why string) {
	answer := evenhandBody("")
	answer.text(why)
	h.answer(255-128, answer)
}

func (h *evenhandWorker) answer(kind byte, body *evenhandBytes) {
	frame := evenhandBody("")
	frame.put(4, uint64(1+len(body.bytes)))
	frame.put(1, uint64(128+kind))
	rest := append(frame.bytes, body.bytes...)
	for len(rest) > 0 {
		written, err := syscall.Write(h.answers, rest)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			// Nobody listens any more.
			os.Exit(0)
		}
		rest = rest[written:]
	}
}

// read waits for a request. It reports false when there will be none.
func (h *evenhandWorker) read() (byte, *evenhandBytes, bool) {
	head, ok := h.readBytes(4)
	if !ok {
		return 0, nil, false
	}
	length := head.number(4)
	if length < 1 || length > evenhandLongest {
		return 0, nil, false
	}
	body, ok := h.readBytes(int(length))
	if !ok {
		return 0, nil, false
	}
	kind := byte(body.number(1))
	return kind, body, true
}

func (h *evenhandWorker) readBytes(count int) (*evenhandBytes, bool) {
	bytes := make([]byte, count)
	for have := 0; have < count; {
		read, err := syscall.Read(h.requests, bytes[have:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || read == 0 {
			return nil, false
		}
		have += read
	}
	return &evenhandBytes{bytes}, true
}
