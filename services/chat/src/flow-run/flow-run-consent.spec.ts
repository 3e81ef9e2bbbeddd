import { flowSteps } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { FlowRunConsent, RunSuspended } from "./flow-run-consent.ts";
import { findReached } from "./flow-run-row.ts";

const steps = flowSteps.parse([
  { type: "start", config: { variables: [{ name: "host", value: "author.example" }] } },
  { type: "apiCall", config: { method: "POST", url: "https://${host}/x" } },
  { type: "carrel-flow", config: { flowId: "constructor" } },
]);
const consent = (trigger: "manual" | "rerun") =>
  new FlowRunConsent(
    {
      flowId: "f",
      name: "Report",
      steps,
      reached: {},
      inputs: { host: "given.example" },
      trigger,
      approvals: null,
      question: null,
      answers: [],
    },
    1_000,
  );
const admit = (trigger: "manual" | "rerun", host: string) => {
  const url = new URL(`https://${host}/x`);
  const request = { title: "API call", method: "POST", url, body: null };
  return consent(trigger).admit(request, { path: "1", step: steps[1]! });
};

describe("a run whose owner can be asked", () => {
  it("may request what its inputs name if the person gave them", async () => {
    expect(await admit("manual", "given.example")).toBe(true);
  });

  it("asks for what the inputs of an earlier run name", async () => {
    await expect(admit("rerun", "given.example")).rejects.toBeInstanceOf(RunSuspended);
    expect(await admit("rerun", "author.example")).toBe(true);
  });
});

it("runs no flow that is named like a part of every object", () => {
  expect(findReached({ reached: {} }, "constructor")).toBeNull();
});
