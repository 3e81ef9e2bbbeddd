import { useNavigate } from "@tanstack/react-router";
import { Download, Ellipsis, History, Play, Webhook } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { errorMessage } from "../../../lib/fault.ts";
import { toast } from "../../../lib/toast.ts";
import { useIsPhone } from "../../../lib/use-is-phone.ts";
import { exportFlow, readFlow } from "../api/flows.ts";
import { usePublishItems } from "./use-publish-items.ts";

/** What can be done with the saved flow besides building it. Unsaved changes are kept as a draft. */
export function MoreMenu({
  flowId,
  onPanel,
}: {
  flowId: string;
  onPanel: (panel: "versions" | "triggers") => void;
}) {
  const { t } = useTranslation("flows");
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const publishItems = usePublishItems(flowId);
  const exportIt = async (): Promise<void> => {
    try {
      const flow = await readFlow(flowId);
      await exportFlow(flow, flow.active);
    } catch (error) {
      toast.error(t("list.exportFailed", { message: errorMessage(error) }));
    }
  };
  return (
    <Menu
      trigger={
        <IconButton label={t("builder.more")}>
          <Ellipsis />
        </IconButton>
      }
      items={[
        // On wider screens, they have buttons.
        ...(isPhone
          ? [
              { label: t("builder.versions"), icon: History, run: () => onPanel("versions") },
              { label: t("builder.triggers"), icon: Webhook, run: () => onPanel("triggers") },
            ]
          : []),
        {
          label: t("list.runs"),
          icon: Play,
          run: () => void navigate({ to: "/flows", search: { flow: flowId } }),
        },
        { label: t("list.export"), icon: Download, run: () => void exportIt() },
        ...publishItems,
      ]}
    />
  );
}
