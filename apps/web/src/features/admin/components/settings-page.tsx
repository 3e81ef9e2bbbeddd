import {
  memberRightLabels,
  threadModelsLabel,
  threadTitlesLabel,
  updatePreferences,
  type Args,
  type memoryLabels,
} from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Main } from "../../../components/ui/page.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { call } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { setupQuery } from "../../../lib/setup.ts";

/** A settings page that is a single list: search and actions on top, then a hint, then the rows. */
export function ListPane({
  label,
  head,
  hint,
  children,
}: {
  label: string;
  head?: ReactNode;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      className="relative flex min-h-0 min-w-0 flex-1 flex-col bg-surface"
      aria-label={label}
    >
      {head && (
        <div className="flex flex-none flex-wrap items-center gap-2 px-6 py-4 max-md:px-4 max-md:py-3 max-md:[&>:is(a,button)]:h-10">
          {head}
        </div>
      )}
      {hint && (
        <p
          className={cn(
            "max-w-[90ch] px-6 pb-4 text-xs text-fg-3 max-md:px-4 max-md:pb-3",
            !head && "pt-4 max-md:pt-3",
          )}
        >
          {hint}
        </p>
      )}
      {children}
    </section>
  );
}

/** The number of rows, announced when it changes. */
export const RowCount = ({ children }: { children: ReactNode }) => (
  <span className="text-fg-3 tabular-nums max-md:hidden" role="status">
    {children}
  </span>
);

/** A column's name before its value, only on phones, where rows have no header. */
export const PhoneLabel = ({ children }: { children: ReactNode }) => (
  <span className="md:hidden">{children} </span>
);

export type PersonalizationSwitch = (typeof memoryLabels)[number];
interface Switched {
  name: keyof typeof switchNames;
  on: boolean;
}

/** Their names in the reply of `/setup-complete`. */
export const switchNames = {
  memory_enabled: "MemoryEnabled",
  memory_auto_extraction: "MemoryAutoExtraction",
  [memberRightLabels.createWorkspaces]: "MembersCreateWorkspaces",
  [memberRightLabels.uploadDocuments]: "MembersUploadDocuments",
  [threadModelsLabel]: "ThreadModelsByEveryone",
  [threadTitlesLabel]: "ThreadTitlesByModel",
} as const;

export const useSwitchPreference = () =>
  useMutation({
    mutationFn: async ({ name, on }: Switched) => {
      // The request body is the flat map itself.
      const preferences = {
        [name]: String(on),
        // The wire turns extraction on by default; here, only its own switch does.
        ...(name === "memory_enabled" && on && { memory_auto_extraction: "false" }),
      } as unknown as Args<typeof updatePreferences>;
      await call(updatePreferences, preferences);
    },
    ...optimistic(setupQuery.queryKey, (reply, { name, on }: Switched) => ({
      ...reply,
      results: {
        ...reply.results,
        ...(name === "memory_enabled" && on && { MemoryAutoExtraction: false }),
        [switchNames[name]]: on,
      },
    })),
    meta: {
      invalidates: [setupQuery.queryKey],
      errorToast: (message) => i18next.t("settings:personalization.failed", { message }),
    },
  });

/** Title, a sentence on the page's purpose, then the cards. */
export function SettingsPage({
  bar,
  title,
  sentence,
  children,
}: {
  bar: ReactNode;
  title: string;
  sentence: string;
  children: ReactNode;
}) {
  return (
    <Main>
      {bar}
      <header className="border-b border-subtle px-6 pt-6 pb-5 max-md:hidden">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-0.5 text-fg-3">{sentence}</p>
      </header>
      {children}
    </Main>
  );
}

export function SettingsBoundary({ children }: { children: ReactNode }) {
  const { t } = useTranslation("settings");
  return (
    <PageBoundary words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}>
      {children}
    </PageBoundary>
  );
}

/** The empty state of a list, with the first action to take. */
export function EmptyList({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div className="m-6 grid max-w-[400px] max-md:m-4 justify-items-start gap-2 rounded-md border border-line p-6">
      <h2 className="font-semibold">{title}</h2>
      <p className="text-fg-2">{text}</p>
      {children && <div className="mt-2">{children}</div>}
    </div>
  );
}
