import { defaultSharing, sharingLimits, type SharingLimit } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { labelStyles } from "../../../components/ui/field.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import { useLimitSharing } from "../api/shares.ts";

/** Who links may be for. Applies immediately. */
export function SharingLimitField() {
  const { t } = useTranslation("share");
  const setup = useQuery(setupQuery).data;
  const save = useLimitSharing();
  const limit = sharingLimits.find((each) => each === setup?.ThreadSharing) ?? defaultSharing;
  const { multiUser } = useRights();
  /** Without accounts, nobody is signed in. */
  const nameOf = (each: SharingLimit) => (each === "team" && !multiUser ? "instance" : each);
  const change = (next: SharingLimit): void => {
    if (!save.isPending)
      save.mutate(next, {
        onSuccess: () =>
          toast.success(t(`admin.limitSaved.${nameOf(next)}`), () => save.mutate(limit)),
      });
  };
  return (
    <div className="grid grid-cols-1 justify-items-start gap-1.5">
      <span className={labelStyles}>{t("admin.limit")}</span>
      <Segmented
        label={t("admin.limit")}
        value={limit}
        options={sharingLimits
          .toReversed()
          .map((value) => ({ value, label: t(`admin.limits.${nameOf(value)}`) }))}
        disabled={setup === undefined}
        onChange={change}
      />
      <p className="text-xs text-fg-3">{t("admin.limitHelp")}</p>
    </div>
  );
}
