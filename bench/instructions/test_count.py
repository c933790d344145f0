"""The comparison with the record: what it must call different, and what not."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bounds
import count

KEY = ("avx2", "box-box", "overlap")


class Comparison(unittest.TestCase):
    def test_within_the_margin(self):
        self.assertEqual(count.differences({KEY: 1000.0}, {KEY: 1029.0}), [])
        self.assertEqual(count.differences({KEY: 10.0}, {KEY: 11.5}), [])

    def test_slower_and_faster_are_both_named(self):
        self.assertIn("+3.1%", count.differences({KEY: 1000.0}, {KEY: 1031.0})[0])
        self.assertIn("-5.0%", count.differences({KEY: 1000.0}, {KEY: 950.0})[0])

    def test_rows_that_come_and_go(self):
        self.assertIn("not in the record", count.differences({}, {KEY: 1.0})[0])
        self.assertIn("not counted", count.differences({KEY: 1.0}, {})[0])

    def test_a_dump(self):
        dump = "version: 1\ndesc: Trigger: Client Request: avx2 box-box overlap 1024\nevents: Ir\nsummary: 2048\ntotals: 2048\n"
        self.assertEqual(count.figure_of(dump), {KEY: 2.0})
        self.assertEqual(count.figure_of("desc: Trigger: Program termination\ntotals: 5\n"), {})

    def test_bounds(self):
        dump = "desc: Trigger: Client Request: avx2 box-box overlap 10\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nsummary: 600 200 100 9 4 1 0 0 0\n"
        counts = bounds.counts_of(dump)["box-box", "overlap"]
        self.assertEqual(counts, (60.0, 20.0, 10.0, 0.5))
        times, bandwidth = bounds.times_of("memory 3.2e+09 bytes/s\navx2 box-box overlap 10 5.00 ns 20.0 cycles\n")
        self.assertEqual(bounds.bounds_of(counts, *times["box-box", "overlap"], bandwidth), [50.0, 50.0, 50.0, 200.0])
        self.assertEqual(bounds.counts_of("events: Ir\ntotals: 5\n"), {})

    def test_a_record_comes_back(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record.txt"
            count.write_record(path, "GCC 12", {KEY: 12.34})
            self.assertEqual(count.read_record(path), ("GCC 12", {KEY: 12.3}))


if __name__ == "__main__":
    unittest.main()
