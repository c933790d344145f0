/* abut from a program in C99. */
#include "check.h"

int failures = 0;

static int run(const char* name, void (*test)(void)) {
    const int before = failures;
    test();
    printf("%s: %s\n", name, failures == before ? "passed" : "failed");
    return 1;
}

int main(void) {
    int tests = 0;
    tests += run("the host's memory", test_memory);
    tests += run("errors", test_errors);
    tests += run("structs that grow", test_structs);
    tests += run("shapes", test_shapes);
    tests += run("surfaces", test_surfaces);
    tests += run("queries", test_queries);
    tests += run("motions", test_motions);
    tests += run("two dimensions", test_plane);
    tests += run("the broad phase", test_broad);
    tests += run("a warm loop", test_warm_loop);
    tests += run("a whole world", test_world);
    printf("%d tests, %d failures\n", tests, failures);
    CHECK(abut_memory_in_use(NULL) == 0);
    return failures == 0 ? 0 : 1;
}
