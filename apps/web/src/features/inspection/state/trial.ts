import type { Trial } from "../api/inspection.ts";

/** Field values of a trial; empty means the workspace's setting. */
export interface TrialFields {
  question: string;
  previous: string;
  mode: "hybrid" | "text" | "dense";
  rerank: "default" | "on" | "off";
  maxResults: string;
  minScore: string;
  folder: string;
  type: string;
  tag: string;
  from: string;
  until: string;
  expansion: boolean;
}
export const emptyTrial: TrialFields = {
  question: "",
  previous: "",
  mode: "hybrid",
  rerank: "default",
  maxResults: "",
  minScore: "",
  folder: "",
  type: "",
  tag: "",
  from: "",
  until: "",
  expansion: true,
};

const clamp = (text: string, min: number, max: number): number | undefined =>
  text.trim() !== "" && Number.isFinite(Number(text))
    ? Math.min(max, Math.max(min, Number(text)))
    : undefined;

/** The trial in wire format, without empty fields. */
export function trialOf(fields: TrialFields): Trial {
  const topN = clamp(fields.maxResults, 1, 100);
  const similarityThreshold = clamp(fields.minScore, 0, 1);
  return {
    question: fields.question.trim(),
    mode: fields.mode,
    expansion: fields.expansion,
    ...(fields.previous.trim() ? { previousQuestion: fields.previous.trim() } : {}),
    ...(fields.rerank === "default" ? {} : { rerank: fields.rerank === "on" }),
    ...(topN === undefined ? {} : { topN: Math.trunc(topN) }),
    ...(similarityThreshold === undefined ? {} : { similarityThreshold }),
    filter: {
      ...(fields.folder ? { folders: [fields.folder] } : {}),
      ...(fields.type ? { types: [fields.type] } : {}),
      ...(fields.tag ? { tags: [fields.tag] } : {}),
      ...(fields.from ? { addedFrom: fields.from } : {}),
      ...(fields.until ? { addedUntil: fields.until } : {}),
    },
  };
}
