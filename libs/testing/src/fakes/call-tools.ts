import type { FakeBehaviour } from "./behaviour.ts";

interface Message {
  role?: string;
}

/**
 * Has a model that is offered tools read results of earlier steps this many times before it answers,
 * one call a reply. Reading one that doesn't exist costs an agent nothing.
 */
export const callTools =
  (steps: number) =>
  ({ tools, messages }: Record<string, unknown>): FakeBehaviour => {
    const all = (messages ?? []) as Message[];
    const asked = all.findLastIndex(({ role }) => role === "user");
    const made = all.slice(asked + 1).filter(({ role }) => role === "tool").length;
    return tools === undefined || made >= steps
      ? {}
      : { toolCalls: [{ name: "read-result", input: { step: 100 + made, part: 1 } }] };
  };
