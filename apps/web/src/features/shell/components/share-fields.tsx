import {
  shareAudiences,
  shareLifetimes,
  type ShareAudience,
  type ShareWire,
  type SharingLimit,
} from "@carrel/contracts";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { Field, FieldLabel, labelStyles } from "../../../components/ui/field.tsx";
import { Select } from "../../../components/ui/input.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { formatTime } from "../../../lib/format.ts";

/** In days; null: never expires. */
export type Lifetime = (typeof shareLifetimes)[number] | null;

const kept = "kept";
const never = "never";

/** Who can open a link, for how long, and what it shows: `lifetime` of a new one, or `expiry` of an existing one. */
export function ShareFields({
  sharing,
  audience,
  onAudience,
  lifetime,
  expiry,
  onLifetime,
  reasoning,
  onReasoning,
}: {
  sharing: SharingLimit;
  audience: ShareAudience;
  onAudience: (audience: ShareAudience) => void;
  lifetime?: Lifetime;
  expiry?: Pick<ShareWire, "expiresAt" | "isExpired">;
  onLifetime: (lifetime: Lifetime) => void;
  reasoning: boolean;
  onReasoning: (reasoning: boolean) => void;
}) {
  const { t } = useTranslation("share");
  const { multiUser } = useRights();
  const id = useId();
  const expiresAt = expiry?.expiresAt ?? null;
  const time = expiresAt === null ? "" : formatTime(Date.parse(expiresAt));
  return (
    <>
      <Field className="justify-items-start">
        <span className={labelStyles}>{t("audience")}</span>
        {!multiUser ? (
          <p className="text-fg-2">{t(audience === "team" ? "instance" : "anyone")}</p>
        ) : sharing === "team" ? (
          <p className="text-fg-2">{t("teamOnly")}</p>
        ) : (
          <Segmented
            label={t("audience")}
            value={audience}
            options={shareAudiences.map((value) => ({ value, label: t(value) }))}
            onChange={onAudience}
          />
        )}
      </Field>
      <Field>
        <FieldLabel htmlFor={id}>{t("expires")}</FieldLabel>
        <Select
          id={id}
          className="max-w-60 max-md:max-w-none"
          value={expiresAt === null ? String(lifetime ?? never) : kept}
          onChange={({ target }) =>
            onLifetime(shareLifetimes.find((days) => String(days) === target.value) ?? null)
          }
        >
          {expiresAt !== null && (
            <option value={kept}>{expiry?.isExpired ? t("expired", { time }) : time}</option>
          )}
          {shareLifetimes.map((days) => (
            <option key={days} value={days}>
              {t("inDays", { count: days })}
            </option>
          ))}
          <option value={never}>{t("never")}</option>
        </Select>
      </Field>
      <label className="flex items-start gap-3">
        <Checkbox checked={reasoning} onChange={({ target }) => onReasoning(target.checked)} />
        <span className="min-w-0">
          <span className="block">{t("reasoning")}</span>
          <span className="block text-fg-2">{t("reasoningHelp")}</span>
        </span>
      </label>
    </>
  );
}
