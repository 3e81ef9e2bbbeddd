import { expect, it } from "@jest/globals";
import { measureRecording } from "./audio-model.ts";

it("counts what vendors charge for, or estimates the length", () => {
  const text = { text: "Hello.", segments: [] };
  expect(measureRecording({ ...text, seconds: 7 }, 1)).toEqual({
    seconds: 7,
    isEstimated: false,
  });
  const segments = [{ start: 0, end: 4.5, text: "Hello." }];
  expect(measureRecording({ text: "Hello.", segments }, 1)).toMatchObject({ seconds: 4.5 });
  expect(measureRecording(text, 80_000)).toEqual({ seconds: 10, isEstimated: true });
});
