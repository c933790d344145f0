/** @file
   From frame to frame: abut_warm_table keeps caches, contacts and a solver's impulses; below it are the parts, for
   bookkeeping of the caller's own. Which contact of now is which of the last frame's: by id, unless its point has
   jumped on both bodies; what is left by place, within a distance in the frames of both bodies; impulses of contacts
   that have ended are shared among the manifold's new ones. docs/contacts.md has the rules. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>
#include <abut/c/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** No pair of the frame before. */
#define ABUT_NO_PAIR 0xffffffffu
/** No manifold of the other frame. */
#define ABUT_NO_MANIFOLD 0xffffffffu
/** No contact of the frame before. */
#define ABUT_NEW_CONTACT 0xffffffffu
/** For abut_warm_table_remap_bodies: the body was removed. */
#define ABUT_REMOVED_BODY 0xffffffffu
/** The most contacts of a manifold that are matched. */
#define ABUT_MAX_CARRIED_CONTACTS \
    32 /* contacts past these of one manifold are never matched; collide gives at most 4 */

/** How near a contact must be to one of the frame before. */
typedef struct abut_carry_over_options {
    size_t size; /**< of this struct, in bytes: see abut.h */
    /** metres, 0 or more, finite. Default 0.02: bodies of another scale need another value, such as their margin */
    float match_distance;
    /** Not 0: the manifolds are joined (abut_settings.manifold_angle) and are found again by their normals. Default 0 */
    uint32_t joined;
} abut_carry_over_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_carry_over_options_init(abut_carry_over_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_carry_over_options abut_carry_over_options_default(void) {
    abut_carry_over_options options;
    memset(&options, 0, sizeof options);
    abut_carry_over_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** When a pair of contacts begins and ceases to touch, metres: a pair that did not touch does where a contact's
   separation is at most begin_distance; one that did still does up to end_distance. */
typedef struct abut_touch_options {
    size_t size;          /**< of this struct, in bytes: see abut.h */
    float begin_distance; /**< Default 0 */
    float end_distance;   /**< at least begin_distance, infinity allowed. Default 0.01 */
} abut_touch_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_touch_options_init(abut_touch_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_touch_options abut_touch_options_default(void) {
    abut_touch_options options;
    memset(&options, 0, sizeof options);
    abut_touch_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** A pair that touched in the frame before and does not now. */
typedef struct abut_ended_touch {
    abut_pair bodies; /**< the present indices; of a removed body the index that it had when it was removed */
    uint32_t pair;    /**< the pair's index in this frame, or ABUT_NO_PAIR where it is not in it */
    uint32_t removed; /**< bit 0: body a was removed; bit 1: body b */
} abut_ended_touch;

/** Which pairs began, continued and ceased to touch: indices of this frame's pairs, ascending. The library fills it. */
typedef struct abut_touch_changes {
    size_t size;           /**< of this struct, in bytes: see abut.h */
    const uint32_t* began; /**< pairs that touch, and did not in the frame before */
    size_t began_count;
    const uint32_t* stayed; /**< pairs that touch, and did */
    size_t stayed_count;
    /** Pairs that touched, and do not: first those of this frame, then those that have left the frames. */
    const abut_ended_touch* ended;
    size_t ended_count;
} abut_touch_changes;

/** What matched a contact. */
enum { ABUT_CARRIED_BY_NOTHING = 0, ABUT_CARRIED_BY_ID = 1, ABUT_CARRIED_BY_PLACE = 2 };
typedef uint8_t abut_carried_by; /**< one of the enumeration above */

/** What a contact's two bodies have done to each other, in the caller's units. Both act on B; `friction` is along world
   axes. */
typedef struct abut_contact_impulse {
    float normal;
    abut_vec3 friction;
} abut_contact_impulse;

/** A pair's index in the frame before, or ABUT_NO_PAIR; swapped where it was (b, a) there. */
typedef struct abut_previous_pair {
    uint32_t index;
    bool swapped;
} abut_previous_pair;

/** A manifold's index in the frame before, or ABUT_NO_MANIFOLD; swapped likewise. */
typedef struct abut_previous_manifold {
    uint32_t index;
    bool swapped;
} abut_previous_manifold;

/** What collide was asked and has answered. `bodies` may be empty, or lack some that the pairs name: contacts are not
   matched by place there. */
typedef struct abut_frame_contacts {
    size_t size; /**< of this struct, in bytes: see abut.h */
    abut_bodies bodies;
    abut_column pairs; /**< abut_pair */
    const uint32_t* first_manifold;
    size_t first_manifold_count; /**< pairs + 1 */
    const abut_manifold* manifolds;
    size_t manifold_count;
    const abut_contact* contacts;
    size_t contact_count;
    abut_column relative_poses; /**< as in the frame */
} abut_frame_contacts;

/** Of a frame and the answer to it, in one struct that points to both. The caller sets out->size. */
ABUT_API abut_error_code abut_frame_contacts_of(const abut_frame* frame, const abut_manifold_columns* answer,
                                                abut_frame_contacts* out, abut_error* error);

/* --- Warm table --- */

/** Usage, once in each frame:
     abut_warm_table_begin(table, frame.pairs, &frame.caches, &error);
     abut_narrow_phase_collide_all(narrow, &frame, manifolds, &error), and its columns
     abut_warm_table_carry_over(table, &frame, &columns, NULL, &error);
     abut_warm_table_impulses(table, &impulses, &count, &error);    the solver starts from them and writes its own in their place
   For one thread at a time. Nothing is allocated once a frame of the size has been seen. */
typedef struct abut_warm_table abut_warm_table;

/** An empty table. */
ABUT_API abut_error_code abut_warm_table_create(abut_warm_table** table, abut_error* error);
/** Null is allowed. */
ABUT_API void abut_warm_table_destroy(abut_warm_table* table);
/** Makes `to` a snapshot of everything in `from`: a rollback copies it back along with the bodies. Into a table that
   has held as much it allocates nothing. Where memory ends `to` is empty. */
ABUT_API abut_error_code abut_warm_table_copy(abut_warm_table* to, const abut_warm_table* from, abut_error* error);

/** The table as bytes, as abut_store_byte_count and its companions. A cache of another version of the library starts
   cold. */
ABUT_API size_t abut_warm_table_byte_count(const abut_warm_table* table);
/** ABUT_BAD_SIZE, and nothing is written, where there is no room for all. */
ABUT_API abut_error_code abut_warm_table_write(const abut_warm_table* table, void* bytes, size_t room,
                                               abut_error* error);
/** From bytes of unknown origin, which are checked: an error names the first fault. */
ABUT_API abut_error_code abut_warm_table_read(const void* bytes, size_t count, abut_warm_table** table,
                                              abut_error* error);

/** The caches of these pairs (abut_pair), in their order, with what the last frame's call left in them; empty for new
   pairs. (a, b) and (b, a) are one pair. Pairs of the last frame that do not come are forgotten, but for those named to
   _keep. Valid until the next begin, copy or clear. Body indices must name the same bodies as in the last frame: see
   _remap_bodies. On an error the table is as it was, or empty where memory ended. */
ABUT_API abut_error_code abut_warm_table_begin(abut_warm_table* table, abut_column pairs, abut_mutable_column* caches,
                                               abut_error* error);
/** For each pair of the last begin: its index in the frame before. Valid until the next one. */
ABUT_API abut_error_code abut_warm_table_previous_pairs(const abut_warm_table* table, const abut_previous_pair** pairs,
                                                        size_t* count, abut_error* error);

/** Finds the impulses of this frame's contacts. The frame has the pairs of the last begin in their order, `now` is the
   answer to it; both are read during the call only. Null options are the defaults. An error where the pairs are others,
   where bodies were renamed or pairs dropped since begin, or where the answer is not of as many pairs; then nothing
   changes. */
ABUT_API abut_error_code abut_warm_table_carry_over(abut_warm_table* table, const abut_frame* frame,
                                                    const abut_manifold_columns* now,
                                                    const abut_carry_over_options* options, abut_error* error);
/** The same for contacts that the caller keeps in another way. */
ABUT_API abut_error_code abut_warm_table_carry_over_contacts(abut_warm_table* table, const abut_frame_contacts* now,
                                                             const abut_carry_over_options* options, abut_error* error);

/** One for each contact of the last carry_over, for the solver to start from and to write to: what stands there at the
   next begin is remembered. Valid until then. */
ABUT_API abut_error_code abut_warm_table_impulses(abut_warm_table* table, abut_contact_impulse** impulses,
                                                  size_t* count, abut_error* error);
/** One for each contact: the rule that matched it. ABUT_CARRIED_BY_NOTHING is a new contact, which may have a share all
   the same. */
ABUT_API abut_error_code abut_warm_table_carried_by(const abut_warm_table* table, const abut_carried_by** by,
                                                    size_t* count, abut_error* error);

/** For each contact of the last carry_over: its index in the frame before, or ABUT_NEW_CONTACT. Contacts and manifolds
   of pairs that return after _keep have indices past the end of that frame. Valid until the next begin, as are the
   three below. */
ABUT_API abut_error_code abut_warm_table_previous_contacts(const abut_warm_table* table, const uint32_t** contacts,
                                                           size_t* count, abut_error* error);
/** For each manifold of the last carry_over: its index in the frame before, or ABUT_NO_MANIFOLD. */
ABUT_API abut_error_code abut_warm_table_previous_manifolds(const abut_warm_table* table,
                                                            const abut_previous_manifold** manifolds, size_t* count,
                                                            abut_error* error);
/** The manifolds of the frame before. */
ABUT_API abut_error_code abut_warm_table_manifolds_before(const abut_warm_table* table, const abut_manifold** manifolds,
                                                          size_t* count, abut_error* error);
/** For each of these: its index now, or ABUT_NO_MANIFOLD where it has ended. */
ABUT_API abut_error_code abut_warm_table_next_manifolds(const abut_warm_table* table, const uint32_t** manifolds,
                                                        size_t* count, abut_error* error);

/** How many floats of the caller's own each contact and each manifold has, up to 256 of each. They follow their contact
   or manifold as they are; those of new ones are zeros. They have no shares, and those of a swapped pair keep their
   signs. Where the numbers change all floats become zeros. */
ABUT_API abut_error_code abut_warm_table_set_floats(abut_warm_table* table, size_t per_contact, size_t per_manifold,
                                                    abut_error* error);
/** per_contact for each contact of the last carry_over, to read and to write to: what stands there at the next begin is
   remembered. Valid until then. `count` counts floats. */
ABUT_API abut_error_code abut_warm_table_contact_floats(abut_warm_table* table, float** floats, size_t* count,
                                                        abut_error* error);
/** The same, per_manifold for each manifold. */
ABUT_API abut_error_code abut_warm_table_manifold_floats(abut_warm_table* table, float** floats, size_t* count,
                                                         abut_error* error);

/** Which pairs began and ceased to touch, by the contacts of the last carry_over. Null options are the defaults. The
   caller sets changes->size; its lists are valid until the next begin, drop, removal, copy or clear. Call it in every
   frame, or never: in the first one every pair that touches began to. */
ABUT_API abut_error_code abut_warm_table_touch_changes(abut_warm_table* table, const abut_touch_options* options,
                                                       abut_touch_changes* changes, abut_error* error);
/** The same for sensors, which have no contacts: by abut_overlap_columns.bits of the pairs of the last begin. Use a
   table for their pairs alone. */
ABUT_API abut_error_code abut_warm_table_overlap_changes(abut_warm_table* table, const uint32_t* bits, size_t bit_words,
                                                         abut_touch_changes* changes, abut_error* error);

/** Pairs of the last begin that fall asleep, to be left out of the frames to come: what is known of them is kept until
   they are in a frame again, or until drop, the removal of a body, or clear. Call it before the next begin. `found`,
   which may be null, gets how many were pairs of the last frame. */
ABUT_API abut_error_code abut_warm_table_keep(abut_warm_table* table, abut_column pairs, size_t* found,
                                              abut_error* error);
/** Forgets pairs, kept ones and those of the last frame: after a teleport for example. */
ABUT_API abut_error_code abut_warm_table_drop(abut_warm_table* table, abut_column pairs, abut_error* error);
/** How many pairs are asleep; 0 of a null table. */
ABUT_API size_t abut_warm_table_kept(const abut_warm_table* table);

/** Between frames, when bodies have other indices: body i of the last frame is body new_index[i] of the next one, or
   ABUT_REMOVED_BODY. Bodies past the end of `new_index` count as removed. No two bodies may have one new index. */
ABUT_API abut_error_code abut_warm_table_remap_bodies(abut_warm_table* table, const uint32_t* new_index, size_t count,
                                                      abut_error* error);
/** The same for one body that is removed while the last body takes its index; `body` may be `last`, for lists with free
   indices, and is an error where it is larger. Goes through all pairs. */
ABUT_API abut_error_code abut_warm_table_swap_remove(abut_warm_table* table, uint32_t body, uint32_t last,
                                                     abut_error* error);
/** Forgets all pairs. */
ABUT_API abut_error_code abut_warm_table_clear(abut_warm_table* table, abut_error* error);
/** Makes room for frames of `pairs` pairs with `contacts` contacts, and for as many asleep. */
ABUT_API abut_error_code abut_warm_table_reserve(abut_warm_table* table, size_t pairs, size_t contacts,
                                                 abut_error* error);

/* --- The parts, for bookkeeping of the caller's own. They hold no state, may be called from any thread and, but for whole frames, allocate nothing. --- */

/** The answer for a whole frame. All columns are written whole. */
typedef struct abut_carried_columns {
    size_t size;        /**< of this struct, in bytes: see abut.h */
    uint32_t* previous; /**< for each contact of now: its index before, or ABUT_NEW_CONTACT */
    size_t previous_count;
    abut_previous_manifold* manifolds; /**< for each manifold of now */
    size_t manifold_count;
    uint32_t* next_manifolds; /**< for each manifold before: its index now, or ABUT_NO_MANIFOLD */
    size_t next_manifold_count;
    abut_carried_by* by; /**< optional, for each contact of now: the rule that matched it */
    size_t by_count;
} abut_carried_columns;

/** `previous_pairs` has an entry for each of now's pairs. Indices past the end count as none. An error where a column
   has not its length; nothing is written then. */
ABUT_API abut_error_code abut_carry_over(const abut_frame_contacts* before, const abut_frame_contacts* now,
                                         const abut_previous_pair* previous_pairs, size_t previous_pair_count,
                                         const abut_carried_columns* out, const abut_carry_over_options* options,
                                         abut_error* error);
/** `floats` floats for each contact, all of them impulses, the first along the normal. `count_before` and `count_now`
   count floats. Where a pair's bodies have swapped, all but the first change sign. */
ABUT_API abut_error_code abut_carry_impulses(const abut_frame_contacts* before, const abut_frame_contacts* now,
                                             const abut_carried_columns* carried, const float* impulses_before,
                                             size_t count_before, float* impulses_now, size_t count_now, size_t floats,
                                             abut_error* error);

/** A contact by its id and by its points on the two bodies' surfaces, each in its body's own frame. */
typedef struct abut_contact_anchor {
    abut_vec3 on_a, on_b;
    uint32_t feature;
} abut_contact_anchor;

/** `normal` and `contact` as collide gives them for the pair (a, b). */
ABUT_API abut_error_code abut_contact_anchor_of(const abut_body* a, const abut_body* b, abut_vec3 normal,
                                                const abut_contact* contact, abut_contact_anchor* out,
                                                abut_error* error);
/** The same contact where the bodies stand the other way round. */
ABUT_API abut_contact_anchor abut_swap_anchor(abut_contact_anchor anchor);

/** For each of `now_count` contacts of one manifold its index in `before`, or ABUT_NEW_CONTACT; in `by`, which may be
   null, the rule. */
ABUT_API abut_error_code abut_carry_over_anchors(const abut_contact_anchor* before, size_t before_count,
                                                 const abut_contact_anchor* now, size_t now_count, uint32_t* previous,
                                                 abut_carried_by* by, const abut_carry_over_options* options,
                                                 abut_error* error);
/** Moves the impulses of one manifold. `previous` is the answer of abut_carry_over_anchors. */
ABUT_API abut_error_code abut_carry_anchor_impulses(const uint32_t* previous, size_t previous_count,
                                                    const float* impulses_before, size_t count_before,
                                                    float* impulses_now, size_t count_now, size_t floats, bool swapped,
                                                    abut_error* error);

#ifdef __cplusplus
}
#endif
