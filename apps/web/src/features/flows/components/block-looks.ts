import type { FlowStep } from "@carrel/contracts";
import type { LucideIcon } from "lucide-react";
import {
  CircleCheckBig,
  Code,
  FileSearch,
  Globe,
  Play,
  Repeat,
  Shuffle,
  Sparkles,
  Split,
  Waypoints,
  Workflow,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { joinNames } from "../../../lib/format.ts";
import { isUnary, type BlockType } from "../state/blocks.ts";
import { useScope } from "./builder-context.ts";

export const blockIcons: Record<BlockType, LucideIcon> = {
  start: Play,
  apiCall: Waypoints,
  llmInstruction: Sparkles,
  webScraping: Globe,
  "carrel-condition": Split,
  "carrel-loop": Repeat,
  "carrel-search": FileSearch,
  "carrel-code": Code,
  "carrel-transform": Shuffle,
  "carrel-approval": CircleCheckBig,
  "carrel-flow": Workflow,
};

/** A one-line summary of a block's settings, shown while it is collapsed. */
export function useSummary(): (step: FlowStep) => string {
  const { t } = useTranslation("flows");
  const { flows } = useScope();
  return (step) => {
    switch (step.type) {
      case "start":
        return joinNames(step.config.variables.map(({ name }) => name));
      case "apiCall":
        return step.config.url && `${step.config.method} ${step.config.url}`;
      case "llmInstruction":
        return step.config.instruction;
      case "webScraping":
        return step.config.url;
      case "carrel-condition": {
        const { left, operator, right } = step.config;
        return left && `${left} ${t(`operator.${operator}`)} ${isUnary(operator) ? "" : right}`;
      }
      case "carrel-loop":
        return step.config.list;
      case "carrel-search":
        return step.config.query;
      case "carrel-code":
        return step.config.code;
      case "carrel-transform":
        return step.config.input;
      case "carrel-approval":
        return step.config.question;
      case "carrel-flow":
        return flows.find(({ id }) => id === step.config.flowId)?.name ?? "";
    }
  };
}
