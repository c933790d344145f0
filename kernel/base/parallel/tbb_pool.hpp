// oneTBB's threads as an Executor; nothing else uses oneTBB.
#pragma once

#include <memory>

#include <abut/host.hpp>

namespace abut {

class TbbPool {
public:
    explicit TbbPool(unsigned threads);  // 0: all that oneTBB has
    ~TbbPool();
    TbbPool(TbbPool&&) noexcept;
    TbbPool& operator=(TbbPool&&) noexcept;

    Executor executor() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut
