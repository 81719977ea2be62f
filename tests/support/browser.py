"""A headless Chromium for tests, driven by the WebDriver protocol of the W3C.

Run as ``python -m tests.support.browser`` it says what is missing here, if anything.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import Request, urlopen

__all__ = ["Browser", "headless", "missing_programs"]

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_DRIVERS = ("chromedriver", "chromium.chromedriver")
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_LOG_OF_DRIVER = "was started successfully on port "


def _first(names):
    return next(filter(None, map(shutil.which, names)), None)


def missing_programs():
    """What has to be installed before a page can be opened."""
    wanted = (("Chromium", _BROWSERS), ("ChromeDriver", _DRIVERS))
    return [name for name, programs in wanted if _first(programs) is None]


class Browser:
    """One window, over the address of a driver.

    Args:
        address: where the driver listens.
        folder: where the browser may keep its profile.
    """

    def __init__(self, address, folder):
        self._address = address
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage"]
        arguments += [f"--user-data-dir={folder}", "--no-first-run"]
        arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
        options = {"binary": _first(_BROWSERS), "args": arguments}
        capabilities = {"alwaysMatch": {"goog:chromeOptions": options}}
        capabilities["alwaysMatch"]["goog:loggingPrefs"] = {"browser": "ALL"}
        answer = self._send("POST", "/session", {"capabilities": capabilities})
        self._session = f"/session/{answer['sessionId']}"

    def _send(self, method, path, content=None):
        data = None if content is None else json.dumps(content).encode()
        headers = {"Content-Type": "application/json"}
        request = Request(self._address + path, data, headers, method=method)
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, url):
        """Load a page."""
        self._send("POST", f"{self._session}/url", {"url": url})

    def run(self, script, *arguments):
        """The value that a script returns."""
        content = {"script": script, "args": list(arguments)}
        return self._send("POST", f"{self._session}/execute/sync", content)

    def _element(self, selector):
        content = {"using": "css selector", "value": selector}
        return self._send("POST", f"{self._session}/element", content)[_ELEMENT]

    def click(self, selector):
        """Click on the first element of a CSS selector, as a user does."""
        self._send("POST", f"{self._session}/element/{self._element(selector)}/click", {})

    def type(self, selector, text):
        """Type into a field, or into a list of choices."""
        path = f"{self._session}/element/{self._element(selector)}/value"
        self._send("POST", path, {"text": text})

    def messages(self):
        """What the page wrote to the console since the last call, errors included."""
        return self._send("POST", f"{self._session}/se/log", {"type": "browser"})

    def close(self):
        """Close the window."""
        self._send("DELETE", self._session)


@contextlib.contextmanager
def headless():
    """A browser without a screen."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "driver.log"
        with log.open("w") as output:
            driver = subprocess.Popen([_first(_DRIVERS), "--port=0"], stdout=output, stderr=output)
        try:
            browser = Browser(f"http://127.0.0.1:{_port(log, driver)}", f"{folder}/profile")
            try:
                yield browser
            finally:
                browser.close()
        finally:
            driver.terminate()
            driver.wait(timeout=30)


def _port(log, driver):
    """The port that the driver has chosen; it says so when it is ready."""
    for _ in range(600):
        _, mark, rest = log.read_text().partition(_LOG_OF_DRIVER)
        if mark and "\n" in rest:
            return int(rest.splitlines()[0].rstrip("."))
        if driver.poll() is not None:
            break
        time.sleep(0.05)
    raise RuntimeError("the driver of the browser did not start")


if __name__ == "__main__":
    lacking = missing_programs()
    if lacking:
        sys.exit(
            f"{' and '.join(lacking)} not found; on Debian: apt install chromium chromium-driver"
        )
