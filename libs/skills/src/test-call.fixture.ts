import type { ToolCall } from "./tool.ts";

/** A call as the loop makes it; `progress` collects what the tool reports. */
export function testCall(
  options: Partial<Pick<ToolCall, "signal" | "nextSource">> = {},
): ToolCall & { reported: [done: number, total: number][] } {
  const reported: [number, number][] = [];
  return {
    signal: new AbortController().signal,
    key: "a-key",
    nextSource: 1,
    ask: () => Promise.resolve([]),
    progress: (done, total) => void reported.push([done, total]),
    reported,
    ...options,
  };
}
