import type { TFunction } from "i18next";
import { isKnownTool } from "../../../lib/step-texts.ts";
import type { StepLine } from "./answer-parts.ts";

type Form = "do" | "doing" | "did";
const formOf = ({ state }: StepLine): Form =>
  state === "running" ? "doing" : state === "done" ? "did" : "do";

/** What a step does, without its object: "Searching documents", "Searched documents". */
export const verbOf = (t: TFunction<"steps">, step: StepLine, form: Form = formOf(step)): string =>
  isKnownTool(step.tool) ? t(`tool.${step.tool}.${form}`) : t(`other.${form}`, { tool: step.tool });

/** A step in one text, for screen readers. */
export const sayStep = (t: TFunction<"steps">, step: StepLine, form?: Form): string =>
  [verbOf(t, step, form), step.object].filter(Boolean).join(": ");
