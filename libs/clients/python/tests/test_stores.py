import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from financial_agents import ClientError, file_store, memory_store

CLAIM = """
import sys
from financial_agents import file_store
sys.stdin.readline()
store = file_store(sys.argv[1])
print(sum(store.set(f"key-{n}", sys.argv[2], if_absent=True) for n in range(100)))
"""


class Stores(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_values_come_back_and_a_key_is_made_once(self) -> None:
        for store in (memory_store(), file_store(Path(self.folder, "store"))):
            self.assertIsNone(store.get("a"))
            self.assertTrue(store.set("a", {"b": "ü"}, if_absent=True))
            self.assertFalse(store.set("a", 1, if_absent=True))
            self.assertEqual(store.get("a"), {"b": "ü"})
            self.assertTrue(store.set("a", 2))
            self.assertEqual(store.get("a"), 2)
            store.delete("a")
            store.delete("a")
            self.assertIsNone(store.get("a"))

    @unittest.skipIf(os.name == "nt", "Windows has no such modes")
    def test_nobody_else_may_read_the_files_and_no_others_stay(self) -> None:
        folder = Path(self.folder, "store")
        store = file_store(folder)
        store.set("a", 1)
        store.set("a", 2, if_absent=True)
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)
        self.assertEqual([stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()], [0o600])

    def test_a_damaged_file_is_named_with_what_to_do_and_its_write_may_have_been_accepted(self) -> None:
        store = file_store(self.folder)
        cases = (("app/owner/accepted/POST /v1/x/rent", True), ("app/owner/session", False))
        for content in (b"", b"\n", b'{"key":"a","val', b"null", b"[]", b"{}", b"\xff"):
            for key, uncertain in cases:
                with self.subTest(content=content, key=key):
                    store.set(key, 1)
                    [file] = Path(self.folder).iterdir()
                    file.write_bytes(content)
                    with self.assertRaises(ClientError) as error:
                        store.get(key)
                    self.assertEqual(error.exception.code, "store_damaged")
                    self.assertEqual(error.exception.submission_uncertain, uncertain)
                    self.assertIn(str(file), str(error.exception))
                    store.delete(key)

    def test_of_two_processes_one_makes_each_key(self) -> None:
        command = [sys.executable, "-c", CLAIM, self.folder]
        both = [
            subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for name in ("a", "b")
        ]
        for process in both:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        made = [int(process.communicate()[0]) for process in both]
        self.assertEqual(sum(made), 100)
        self.assertEqual(len(list(Path(self.folder).iterdir())), 100)
