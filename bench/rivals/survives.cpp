#include <cstdio>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rivals/rival.hpp"

namespace abut::bench {

bool survives(RivalWorld& world, Answers& out, unsigned seconds) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) return true;  // no process to spare: take the risk
    if (child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        if (null >= 0) dup2(null, STDERR_FILENO);
        alarm(seconds);
        world.run(out);
        _exit(0);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status);
}

}  // namespace abut::bench
