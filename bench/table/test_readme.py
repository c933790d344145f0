"""Tables are found in a page and replaced; the rest of the page stays."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import readme

PAGE = "text\n\n<!-- abut_table --from a.json --readme\n     --rows x,y -->\n| old |\n<!-- end of abut_table -->\n\n<!-- another comment -->\n"


class Tables(unittest.TestCase):
    def test_a_table_is_replaced(self):
        asked = []
        page, tables = readme.renewed(PAGE, lambda words: asked.append(words) or "| new |\n")
        self.assertEqual(tables, 1)
        self.assertEqual(asked, [["--from", "a.json", "--readme", "--rows", "x,y"]])
        self.assertEqual(page, PAGE.replace("old", "new"))

    def test_a_page_that_is_right_stays(self):
        self.assertEqual(readme.renewed(PAGE, lambda words: "| old |\n")[0], PAGE)

    def test_a_page_without_tables(self):
        self.assertEqual(readme.renewed("<!-- abut_table without an end -->\n", lambda words: ""), ("<!-- abut_table without an end -->\n", 0))


if __name__ == "__main__":
    unittest.main()
