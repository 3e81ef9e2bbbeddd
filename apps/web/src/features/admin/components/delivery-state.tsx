import type { DeliveryWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";

const tones = { pending: "info", delivered: "success", failed: "danger" } as const;

export function DeliveryState({ state }: { state: DeliveryWire["state"] }) {
  const { t } = useTranslation("webhooks");
  return <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>;
}
