import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { toast } from "../../../lib/toast.ts";
import {
  useConfirmSecondFactor,
  useRemoveSecondFactor,
  useStartSecondFactor,
} from "../api/security.ts";
import { PasswordPrompt } from "./password-prompt.tsx";
import { QrCode } from "./qr-code.tsx";

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
    <section className="account-rows" aria-labelledby="factor-title">
      <div className="account-line">
        <div>
          <h3 id="factor-title">{t("factor.title")}</h3>
          <p className="t3">{enabled ? t("factor.on") : t("factor.off")}</p>
        </div>
        {!asking && !started && (
          <button type="button" className="btn" onClick={() => setAsking(true)}>
            {enabled ? t("factor.remove") : t("factor.setUp")}
          </button>
        )}
      </div>
      {asking &&
        (enabled ? (
          <PasswordPrompt
            danger
            action={t("factor.remove")}
            onCancel={stop}
            onPassword={async (password) => {
              await remove.mutateAsync(password);
              stop();
              toast.success(t("factor.removed"));
            }}
          />
        ) : (
          <PasswordPrompt
            action={t("factor.next")}
            onCancel={stop}
            onPassword={async (password) => {
              setStarted(await start.mutateAsync(password));
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
    <div className="factor">
      <QrCode text={uri} label={t("factor.qr")} />
      <form className="account-rows" onSubmit={(event) => void submit(event)} noValidate>
        <p className="t2">{t("factor.scan")}</p>
        <div>
          <p className="t3 xs">{t("factor.secret")}</p>
          <div className="row">
            <code className="mono secret">{secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
            <CopyButton text={() => secret} />
          </div>
        </div>
        <TextField
          label={t("factor.code")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          autoFocus
          problem={fault && (fault.type === "server" ? fault.message : t("factor.codeMissing"))}
          {...register("code", { required: true })}
        />
        <div className="row">
          <button type="submit" className="btn primary" disabled={confirm.isPending}>
            {confirm.isPending ? t("saving") : t("factor.confirm")}
          </button>
          <button type="button" className="btn quiet" onClick={onCancel}>
            {t("cancel")}
          </button>
        </div>
      </form>
    </div>
  );
}
