import { expect, it } from "@jest/globals";
import "../../testing/texts.ts";
import { threadName } from "./thread-name.ts";

it("is the thread's own, whichever thread it is", () => {
  expect(threadName("Who is the caretaker?")).toBe("Who is the caretaker?");
  expect(threadName("Who is the caretaker?", null)).toBe("Who is the caretaker?");
});

it("tells the default thread from others until they are named", () => {
  expect(threadName("Thread")).toBe("New thread");
  expect(threadName("Thread", "flow")).toBe("New thread");
  expect(threadName("Thread", null)).toBe("Default thread");
});
