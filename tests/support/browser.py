"""A headless Chromium, driven through its own protocol over two pipes: no package is needed for that."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
TIMEOUT = 60.0


def executable() -> str | None:
    """The browser of this machine; `MLIRBC_CHROMIUM` names another one."""
    named = os.environ.get("MLIRBC_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """A page. Errors of its scripts and messages of its console are in `problems`."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self._rest += piece
        message, self._rest = self._rest.split(b"\0", 1)
        received: dict[str, Any] = json.loads(message)
        method, params = received.get("method"), received.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(str(params["args"]))
        elif method == "Log.entryAdded":
            self.problems.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith("file:"):
            self.problems.append("request: " + params["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.problems.append("dialog: " + params["message"])
            self._send("Page.handleJavaScriptDialog", accept=True)
        return received

    def _send(self, method: str, **params: Any) -> int:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return self._number

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        number = self._send(method, **params)
        while (answer := self._receive()).get("id") != number:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, path: Path) -> None:
        """Open a file, and wait until it is complete."""
        self._call("Page.navigate", url=path.resolve().as_uri())
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of an expression."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + TIMEOUT
        while not self.run(f"!!({script})"):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.02)

    def size(self, width: int, height: int, dark: bool = False) -> None:
        """Set the size of the window, and whether it is dark."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that a selector finds."""
        box = self.run(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button = "none" if kind == "mouseMoved" else "left"
            self._call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button=button, clickCount=1)

    def move(self, selector: str) -> None:
        """Move the pointer over the first element that a selector finds."""
        box = self.run(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])

    def type(self, text: str) -> None:
        """Type into the element that has the focus."""
        self._call("Input.insertText", text=text)

    def picture(self, path: Path) -> None:
        """Write a picture of the window."""
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def opened(program: str) -> Iterator[Page]:
    """Start a browser, which ends with the block. It talks on descriptors 3 and 4."""
    to_browser, write = os.pipe()
    read, from_browser = os.pipe()
    start = (
        f"import os, sys; a, b = os.dup2({to_browser}, 60), os.dup2({from_browser}, 61);"
        "os.dup2(a, 3); os.dup2(b, 4); os.execv(sys.argv[1], sys.argv[1:])"
    )
    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.Popen(
            [
                sys.executable, "-c", start, program, "--headless", "--no-sandbox",
                "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                f"--user-data-dir={profile}",
            ],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        try:
            yield Page(write, read)
        finally:
            process.terminate()
            process.wait(30)
            os.close(write)
            os.close(read)
