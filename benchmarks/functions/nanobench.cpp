// nanobench's compare() of two builds of a function, loaded into one process:
//
//     nanobench OLD.so NEW.so FUNCTION
//
// Built by run.sh where NANOBENCH names a folder with nanobench.h, version 4.6.0 or later; no copy comes with evenhand.

#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>

#include <cstdint>
#include <cstdio>
#include <dlfcn.h>

using Function = std::uint64_t (*)();

static Function function_of(char const* library, char const* name) {
    void* opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return nullptr;
    }
    auto find = reinterpret_cast<Function (*)(char const*)>(dlsym(opened, "function"));
    Function found = find == nullptr ? nullptr : find(name);
    if (found == nullptr) {
        std::fprintf(stderr, "%s has no function %s\n", library, name);
    }
    return found;
}

int main(int count, char** words) {
    if (count != 4) {
        std::fprintf(stderr, "usage: nanobench OLD.so NEW.so FUNCTION\n");
        return 2;
    }
    Function before = function_of(words[1], words[3]);
    Function after = function_of(words[2], words[3]);
    if (before == nullptr || after == nullptr) {
        return 2;
    }
    // Both calls are made in the same way, so that what a call costs falls on both.
    ankerl::nanobench::Bench().performanceCounters(false).compare(
        "old", [&] { ankerl::nanobench::doNotOptimizeAway(before()); },
        "new", [&] { ankerl::nanobench::doNotOptimizeAway(after()); });
}
