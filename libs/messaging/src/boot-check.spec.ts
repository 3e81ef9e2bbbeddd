import {
  defineEvent,
  defineJob,
  defineOperation,
  events,
  jobs,
  operations,
  type Operation,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { contractFaults, findCycle, handlerFaults } from "./boot-check.ts";

const operation = (name: string, more: Partial<Operation> = {}): Operation =>
  defineOperation({
    name,
    service: "chat",
    access: { who: "internal" },
    input: z.object({}),
    output: z.object({}),
    ...more,
  });

describe("boot checks", () => {
  it("finds no fault in the product's contracts", () => {
    expect(contractFaults({ operations, jobs, events })).toEqual([]);
  });

  it("lists missing, duplicate and foreign handlers together", () => {
    const job = defineJob({
      name: "j",
      service: "chat",
      queue: "q",
      payload: z.object({}),
      attempts: 1,
      backoffMs: 1,
    });
    const event = defineEvent({
      name: "e",
      service: "workspace",
      consumers: ["chat"],
      payload: z.object({}),
    });
    const contracts = {
      operations: [operation("a"), operation("b"), operation("other", { service: "ingest" })],
      jobs: [job],
      events: [event],
    };
    expect(
      handlerFaults("chat", contracts, { operations: ["a", "b"], jobs: ["j"], events: ["e"] }),
    ).toEqual([]);
    expect(
      handlerFaults("chat", contracts, { operations: ["a", "a", "other"], jobs: [], events: [] }),
    ).toEqual([
      "operation b has no handler",
      "operation a has more than one handler",
      "operation other is handled here but declared for another service, or not at all",
      "job j has no handler",
      "event e has no handler",
    ]);
  });

  it("finds call cycles, duplicate names and routes without a policy", () => {
    const circle = [
      operation("a", { calls: ["ingest"] }),
      operation("b", { service: "ingest", calls: ["workspace"] }),
      operation("c", { service: "workspace", calls: ["chat"] }),
    ];
    expect(findCycle(circle)).toEqual(["chat", "ingest", "workspace", "chat"]);
    expect(findCycle(circle.slice(0, 2))).toBeNull();
    const open = operation("a", { routes: [{ method: "GET", path: "/a", summary: "" }] });
    expect(contractFaults({ operations: [...circle, open], jobs: [], events: [] })).toEqual([
      "the name a is declared more than once",
      "operation a has a route but no access policy for it",
      "services call each other in a cycle: chat → ingest → workspace → chat",
    ]);
  });
});
