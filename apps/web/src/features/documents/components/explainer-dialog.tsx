import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import type { Explainer } from "../state/explainers.ts";

/** Explains pinning or watching the first time it is used. */
export function ExplainerDialog({ what, onClose }: { what: Explainer; onClose: () => void }) {
  const { t } = useTranslation("library");
  const texts =
    what === "pin"
      ? [t("pinText1"), t("pinText2"), t("pinText3")]
      : [t("watchText1"), t("watchText2"), t("watchText3")];
  return (
    <Dialog open onClose={onClose} title={t(what === "pin" ? "pinTitle" : "watchTitle")}>
      <div className="grid gap-3 text-fg-2">
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <DialogFooter>
        <Button variant="primary" autoFocus onClick={onClose}>
          {t("understood")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
