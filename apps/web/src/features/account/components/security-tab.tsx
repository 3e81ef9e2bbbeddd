import type { UserWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import RecoveryCodesDialog from "../../../components/recovery-codes-dialog.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { sessionsQuery, useEndSession, useRenewRecoveryCodes } from "../api/security.ts";
import { AllowedTools } from "./allowed-tools.tsx";
import { PasswordPrompt } from "./password-prompt.tsx";
import { SecondFactor } from "./second-factor.tsx";

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
                  {[session.address, t("sessions.seen", { when })].filter(Boolean).join(" · ")}
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
