import type { UserWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { encode } from "uqr";
import { AllowedSkills } from "../../../components/allowed-skills.tsx";
import RecoveryCodesDialog from "../../../components/recovery-codes-dialog.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { allowedSkillsQuery } from "../../../lib/allowed-skills.ts";
import { formatAgo, joinFacts } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  sessionsQuery,
  useEndSession,
  useRenewRecoveryCodes,
  useConfirmSecondFactor,
  useRemoveSecondFactor,
  useStartSecondFactor,
} from "../api/security.ts";
import { PasswordPrompt, OneTimeCodeField } from "./password-prompt.tsx";

// Order matters: most browsers include the names of others.
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^(?:python-requests|Python)/, "Python"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];
const find = (list: [RegExp, string][], text: string): string | null =>
  list.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/**
 * Browser and system from a User-Agent header, by their common names; null for whatever it doesn't
 * reveal.
 */
export function describeAgent(agent: string | null): {
  browser: string | null;
  system: string | null;
} {
  return { browser: find(browsers, agent ?? ""), system: find(systems, agent ?? "") };
}

/** Second factor, recovery codes, sessions. */
export function SecurityTab({ user }: { user: UserWire }) {
  const { t } = useTranslation("account");
  const renew = useRenewRecoveryCodes();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [renewing, setRenewing] = useState(false);
  return (
    <div className="grid gap-5 [&>section+section]:border-t [&>section+section]:border-subtle [&>section+section]:pt-5">
      <SecondFactor enabled={user.secondFactor} onRecoveryCodes={setCodes} />
      <section className="grid content-start gap-4" aria-labelledby="codes-title">
        <div className="flex items-start justify-between gap-4">
          <div>
            <h3 className="font-medium" id="codes-title">
              {t("codes.title")}
            </h3>
            <p className="text-fg-3">{t("codes.text")}</p>
          </div>
          {!renewing && (
            <Button className="max-md:min-h-11" onClick={() => setRenewing(true)}>
              {t("codes.renew")}
            </Button>
          )}
        </div>
        {renewing && (
          <>
            <p className="text-fg-3">{t("codes.renewHelp")}</p>
            <PasswordPrompt
              asksCode={user.secondFactor}
              action={t("codes.renew")}
              onCancel={() => setRenewing(false)}
              onProof={async (proof) => {
                setCodes(await renew.mutateAsync(proof));
                setRenewing(false);
              }}
            />
          </>
        )}
      </section>
      <AllowedTools />
      <SessionList />
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </div>
  );
}

/** The user's sessions, newest first. Signing out ends the current one. */
function SessionList() {
  const { t } = useTranslation("account");
  const query = useQuery(sessionsQuery);
  const endSession = useEndSession();
  const end = (id: string, done: string): void =>
    endSession.mutate(id, { onSuccess: () => toast.success(done) });
  const nameOf = (agent: string | null): string => {
    const { browser, system } = describeAgent(agent);
    return browser && system
      ? t("sessions.on", { browser, system })
      : (browser ?? system ?? t("sessions.unknown"));
  };
  const others = query.data?.filter((session) => !session.current).length ?? 0;
  return (
    <section className="grid content-start gap-4" aria-labelledby="sessions-title">
      <div className="flex items-start justify-between gap-4">
        <h3 className="font-medium" id="sessions-title">
          {t("sessions.title")}
        </h3>
        {others > 1 && (
          <Button
            className="max-md:min-h-11"
            size="sm"
            onClick={() => end("others", t("sessions.othersEnded"))}
          >
            {t("sessions.endOthers")}
          </Button>
        )}
      </div>
      {query.isPending && (
        <div className="grid gap-3" aria-label={t("sessions.loading")} role="status">
          {[70, 52].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {query.isError && (
        <Notice kind="bad">
          <p>
            {t("sessions.notListed")} {query.error.message}
          </p>
        </Notice>
      )}
      <ul className="grid">
        {query.data?.map((session) => {
          const name = nameOf(session.userAgent);
          const when = formatAgo(session.lastSeenAt);
          return (
            <li
              key={session.id}
              className="flex min-h-[52px] items-center gap-3 border-subtle not-first:border-t"
            >
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2 font-medium">
                  {name}
                  {session.current && <Badge tone="accent">{t("sessions.current")}</Badge>}
                </p>
                <p className="text-fg-3 text-xs">
                  {joinFacts([session.address, t("sessions.seen", { when })])}
                </p>
              </div>
              {!session.current && (
                <Button
                  className="max-md:min-h-11"
                  variant="quiet"
                  size="sm"
                  aria-label={t("sessions.endOf", { name, when })}
                  onClick={() => end(session.id, t("sessions.ended"))}
                >
                  {t("sessions.end")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What agents may do for the user without asking; nothing if that is nothing. */
function AllowedTools() {
  const { t } = useTranslation("agents");
  const { data: skills = [] } = useQuery(allowedSkillsQuery);
  if (skills.length === 0) return null;
  return (
    <section className="grid content-start gap-4" aria-labelledby="allowed-title">
      <div>
        <h3 className="font-medium" id="allowed-title">
          {t("allowed.title")}
        </h3>
        <p className="text-fg-3">{t("allowed.help")}</p>
      </div>
      <AllowedSkills skills={skills} />
    </section>
  );
}

/**
 * Sets up one-time codes: the password, the secret for the authenticator app, and a code to confirm
 * it.
 */
function SecondFactor({
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
