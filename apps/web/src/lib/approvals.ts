import type { AdvanceApproval } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import approvals from "../locales/en/approvals.json" with { type: "json" };
import { addTexts } from "./i18n.ts";
import { isKnownTool } from "./step-texts.ts";

// Loaded with the pages that show approvals in advance, not with the first one.
addTexts("approvals", approvals);

/** The name by which approvals mean the requests of a flow that is run directly. */
export const flowTool = (flowId: string): string => `@@flow_${flowId}`;
/** Blocks that ask for an approval; the destination is the block's ID. */
export const approvalTool = "carrel-approval";

/** Texts of what may be done without asking. */
export function useApprovalWords(): {
  /** What a tool does: "Send email". */
  sayTool: (tool: string) => string;
  /** Where it goes, or that an agent's flow continues at an approval: "to jo@example.com". */
  sayTarget: (destination: string) => string;
  /** An approval in one text: "Send email to jo@example.com". */
  sayApproval: (approval: AdvanceApproval) => string;
} {
  const { t } = useTranslation(["approvals", "steps"]);
  const sayTool = (tool: string): string => {
    if (tool.startsWith("@@flow_")) return t("flowRequests");
    if (tool === approvalTool) return t("approvalBlock");
    return isKnownTool(tool) ? t(`steps:tool.${tool}.do`) : t("steps:other.do", { tool });
  };
  const sayTarget = (destination: string): string =>
    destination.startsWith(`${approvalTool}:`) ? t("atApproval") : t("to", { destination });
  const sayApproval = ({ tool, destination }: AdvanceApproval): string =>
    destination === null || tool === approvalTool
      ? sayTool(tool)
      : t("withTarget", { action: sayTool(tool), target: sayTarget(destination) });
  return { sayTool, sayTarget, sayApproval };
}

export const isSameApproval = (one: AdvanceApproval, other: AdvanceApproval): boolean =>
  one.tool === other.tool && one.destination === other.destination;

/** The origin of an address that may lack its scheme; null if it is none. */
export function originOf(text: string): string | null {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  // Chromium accepts spaces and the like in hosts.
  return /^[\w.:[\]-]+$/.test(url.host) ? url.origin : null;
}
