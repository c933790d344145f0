// The columns of answers that several queries give.
#pragma once

#include "api/c/convert.hpp"
#include "api/c/sized.hpp"

namespace abut::c {

inline CallResult read_columns(const abut_distance_columns* from, DistanceColumns& to) {
    abut_distance_columns given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to = {part<float>(given.signed_distance, given.count),
          part<Vec3>(given.normal, given.count),
          part<Vec3>(given.point_a, given.count),
          part<Vec3>(given.point_b, given.count),
          {reinterpret_cast<Status*>(given.status), given.status == nullptr ? 0 : given.count}};
    return {};
}

// query(columns) answers an overlap query; the caller gets the number of hits.
template <class Query>
CallResult fill_overlaps(abut_overlap_columns* out, Query&& query) {
    abut_overlap_columns given = {};
    if (CallResult r = read_sized(out, given); !r) return r;
    OverlapColumns columns{{given.bits, given.bit_words},
                           {reinterpret_cast<Status*>(given.status), given.status_count},
                           {given.hits, given.hit_room},
                           given.hit_count};
    CallResult result = query(columns);
    given.hit_count = columns.hit_count;
    write_sized(out, given);
    return result;
}

}  // namespace abut::c
