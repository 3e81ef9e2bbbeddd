import type { FlowRunState } from "@carrel/contracts";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";

const tones: Record<FlowRunState, ComponentProps<typeof Badge>["tone"]> = {
  queued: "neutral",
  running: "info",
  waiting: "accent",
  done: "success",
  failed: "danger",
  denied: "warning",
  cancelled: "neutral",
};

export function RunState({ state }: { state: FlowRunState }) {
  const { t } = useTranslation("flow-runs");
  return (
    <Badge className="flex-none" tone={tones[state]} data-run={state}>
      {t(`state.${state}`)}
    </Badge>
  );
}
