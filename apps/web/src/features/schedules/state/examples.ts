import { newWhen } from "../../../lib/schedule-timing.ts";
import { newContent, type Content } from "./content.ts";

export const examples = ["changes", "week", "news"] as const;
export type Example = (typeof examples)[number];
export const isExample = (value: unknown): value is Example =>
  (examples as readonly unknown[]).includes(value);

/** When each example runs. */
export const exampleWhen = {
  changes: { repeat: "weekday", time: "08:00" },
  week: { repeat: "week", days: [1], time: "07:30" },
  news: { repeat: "day", time: "07:00" },
} as const satisfies Record<Example, object>;

/** A schedule to start from; `texts` are in the person's language. */
export function exampleContent(
  example: Example,
  workspace: string,
  zone: string,
  texts: { name: string; prompt: string },
): Content {
  const { days, ...when } = { days: [1], ...exampleWhen[example] };
  return {
    ...newContent(workspace, zone),
    ...texts,
    kind: example === "news" ? "agent" : "prompt",
    when: { ...newWhen(zone), ...when, days: [...days] },
    onlyWhenChanged: example === "changes",
  };
}
