import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { encode } from "uqr";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { toast } from "../../../lib/toast.ts";
import {
  useConfirmSecondFactor,
  useRemoveSecondFactor,
  useStartSecondFactor,
} from "../api/security.ts";
import { OneTimeCodeField, PasswordPrompt } from "./password-prompt.tsx";

/**
 * Sets up one-time codes: the password, the secret for the authenticator app, and a code to confirm
 * it.
 */
export function SecondFactor({
  enabled,
  onRecoveryCodes,
}: {
  enabled: boolean;
  onRecoveryCodes: (codes: string[]) => void;
}) {
  const { t } = useTranslation("account");
  const start = useStartSecondFactor();
  const remove = useRemoveSecondFactor();
  const [asking, setAsking] = useState(false);
  const [started, setStarted] = useState<{ secret: string; uri: string } | null>(null);
  const stop = (): void => {
    setAsking(false);
    setStarted(null);
  };
  return (
    <section className="grid content-start gap-4" aria-labelledby="factor-title">
      <div className="flex items-start justify-between gap-4">
        <div>
          <h3 className="font-medium" id="factor-title">
            {t("factor.title")}
          </h3>
          <p className="text-fg-3">{enabled ? t("factor.on") : t("factor.off")}</p>
        </div>
        {!asking && !started && (
          <Button className="max-md:min-h-11" onClick={() => setAsking(true)}>
            {enabled ? t("factor.remove") : t("factor.setUp")}
          </Button>
        )}
      </div>
      {asking &&
        (enabled ? (
          <PasswordPrompt
            danger
            asksCode
            action={t("factor.remove")}
            onCancel={stop}
            onProof={async (proof) => {
              await remove.mutateAsync(proof);
              stop();
              toast.success(t("factor.removed"));
            }}
          />
        ) : (
          <PasswordPrompt
            action={t("factor.next")}
            onCancel={stop}
            onProof={async (proof) => {
              setStarted(await start.mutateAsync(proof));
              setAsking(false);
            }}
          />
        ))}
      {started && (
        <Confirm
          {...started}
          onCancel={stop}
          onDone={(codes) => {
            stop();
            toast.success(t("factor.done"));
            if (codes.length > 0) onRecoveryCodes(codes);
          }}
        />
      )}
    </section>
  );
}

function Confirm({
  secret,
  uri,
  onDone,
  onCancel,
}: {
  secret: string;
  uri: string;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation("account");
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors },
  } = useForm({ defaultValues: { code: "" } });
  const confirm = useConfirmSecondFactor();
  const submit = handleSubmit(({ code }) =>
    confirm.mutate(code.trim(), {
      onSuccess: onDone,
      onError: ({ message }) =>
        setError("code", { type: "server", message }, { shouldFocus: true }),
    }),
  );
  const fault = errors.code;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-5 max-md:grid-cols-1">
      <QrCode text={uri} label={t("factor.qr")} />
      <form
        className="grid content-start gap-4"
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <p className="text-fg-2">{t("factor.scan")}</p>
        <div>
          <p className="text-fg-3 text-xs">{t("factor.secret")}</p>
          <div className="flex items-center gap-2">
            <code className="font-mono text-[0.93em] wrap-anywhere">
              {secret.replace(/(.{4})(?=.)/g, "$1 ")}
            </code>
            <CopyButton text={() => secret} />
          </div>
        </div>
        <OneTimeCodeField
          autoFocus
          problem={fault && (fault.type === "server" ? fault.message : t("factor.codeMissing"))}
          {...register("code", { required: true })}
        />
        <div className="flex items-center gap-2">
          <Button
            className="max-md:min-h-11"
            type="submit"
            variant="primary"
            disabled={confirm.isPending}
          >
            {confirm.isPending ? t("saving") : t("factor.confirm")}
          </Button>
          <Button className="max-md:min-h-11" variant="quiet" onClick={onCancel}>
            {t("cancel")}
          </Button>
        </div>
      </form>
    </div>
  );
}

/**
 * A QR code rendered in the browser, so that the secret is not sent anywhere. Always dark on light,
 * as scanners expect, with the required quiet zone of four modules.
 */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      className="size-44 rounded-md border border-line max-md:justify-self-center"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
