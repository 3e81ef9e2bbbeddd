import { useNavigate } from "@tanstack/react-router";
import { Share2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { useHasHub } from "../../../lib/hub.ts";

/** The menu item that publishes a flow; none without a hub. */
export function usePublishItems(flowId: string): MenuItem[] {
  const { t } = useTranslation("flows");
  const navigate = useNavigate();
  if (!useHasHub()) return [];
  return [
    {
      label: t("list.publish"),
      icon: Share2,
      run: () =>
        void navigate({
          to: "/settings/community-hub/publish",
          search: { type: "agent-flow", of: flowId },
        }),
    },
  ];
}
