import {
  deleteFlowTrigger,
  listFlowTriggers,
  rotateFlowHookSecret,
  setFlowTrigger,
  type FlowTriggerKind,
  type FlowTriggerWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

/** The triggers of the fake gateway's flows; none at first. */
export class FakeFlowTriggers {
  triggers: (FlowTriggerWire & { flowId: string })[] = [];
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];

  add(flowId: string, kind: FlowTriggerKind, more: Partial<FlowTriggerWire> = {}): void {
    const id = `${kind === "api" ? "a" : "b"}1111111-4444-4444-8444-444444444444`;
    this.triggers.push({
      flowId,
      id,
      kind,
      owner: null,
      workspaceId: null,
      approvals: [],
      path: kind === "api" ? null : `/api/flow-hooks/${id}`,
      createdAt: "2026-11-01T08:00:00.000Z",
      ...more,
    });
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, reply } = call;
    const [, flowId, kind] = /^\/flows\/([^/]+)\/triggers(?:\/(api|webhook))?/.exec(path) ?? [];
    if (flowId === undefined) return false;
    const at = matcher(call);
    if (method !== "GET") this.sent.push({ method, path, body });
    const listed = this.triggers.filter((each) => each.flowId === flowId);
    if (at("GET", /\/triggers$/)) return answered(reply(listFlowTriggers, { triggers: listed }));
    if (at("POST", /\/secret$/))
      return answered(reply(rotateFlowHookSecret, { secret: "whsec_YW5vdGhlciBzZWNyZXQ=" }));
    const found = listed.find((each) => each.kind === kind);
    if (at("DELETE", /./)) {
      this.triggers = this.triggers.filter((each) => each !== found);
      return answered(reply(deleteFlowTrigger, { success: true }));
    }
    const change = body as Pick<FlowTriggerWire, "approvals" | "workspaceId">;
    if (found) Object.assign(found, change);
    else this.add(flowId, kind as FlowTriggerKind, change);
    const trigger = found ?? this.triggers.at(-1)!;
    const isNewHook = found === undefined && kind === "webhook";
    return answered(
      reply(setFlowTrigger, {
        trigger,
        secret: isNewHook ? "whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==" : null,
      }),
    );
  }
}
