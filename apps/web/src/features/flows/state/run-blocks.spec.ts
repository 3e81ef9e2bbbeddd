import type { FlowRunBlock } from "@carrel/contracts";
import { expect, it } from "@jest/globals";
import { depthOfPath, inOrder, roundOf } from "./run-blocks.ts";

const block = (path: string): FlowRunBlock => ({
  path,
  id: null,
  type: "carrel-code",
  title: null,
  state: "done",
  milliseconds: 1,
  result: "",
  isCut: false,
  fault: null,
});

it("lists blocks after the ones that hold them, and rounds by their number", () => {
  const paths = [
    "0",
    "1.then.0",
    "1",
    "2.0.0",
    "2.0.1",
    "2.10.0",
    "2.2.0",
    "2",
    "3.flow.0",
    "10",
    "3",
  ];
  expect(inOrder(paths.map(block)).map(({ path }) => path)).toEqual([
    "0",
    "1",
    "1.then.0",
    "2",
    "2.0.0",
    "2.0.1",
    "2.2.0",
    "2.10.0",
    "3",
    "3.flow.0",
    "10",
  ]);
});

it("knows depth and round of a block", () => {
  expect(["0", "1.then.0", "2.5.0.then.1"].map(depthOfPath)).toEqual([0, 1, 2]);
  expect(["0", "1.then.0", "2.5.0"].map(roundOf)).toEqual([null, null, 6]);
});
