import { getOwnUsage, type In, type UserWire } from "@carrel/contracts";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Dialog as Radix, Tabs } from "radix-ui";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LanguagePicker } from "../../../components/language-picker.tsx";
import { ThemePicker } from "../../../components/theme-picker.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import {
  DialogContent,
  DialogFooter,
  dialogStyles,
  dialogTitleStyles,
  scrimStyles,
} from "../../../components/ui/dialog.tsx";
import { Field, FieldHelp, Select, labelStyles } from "../../../components/ui/field.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { UsageTable, UsageTiles, nameModel } from "../../../components/usage-figures.tsx";
import { call } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import {
  isProofFault,
  passwordFault,
  usePasswordRule,
  type CredentialFault,
} from "../../../lib/credential-rules.ts";
import { lastDays } from "../../../lib/days.ts";
import { formatDay } from "../../../lib/format-usage.ts";
import { toast } from "../../../lib/toast.ts";
import { useUpdateProfile } from "../api/profile.ts";
import type { AccountTab } from "../state/account-request.ts";
import "../texts.ts";
import { LinksTab } from "./links-tab.tsx";
import { OneTimeCodeField } from "./password-prompt.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import { SecurityTab } from "./security-tab.tsx";

type OwnGrouping = NonNullable<In<typeof getOwnUsage>["groupBy"]>;

/** Always refetched, because every answer changes it. */
const ownUsageQuery = (days: number, groupBy: OwnGrouping) =>
  queryOptions({
    queryKey: ["own-usage", days, groupBy],
    queryFn: ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return call(getOwnUsage, { ...lastDays(days), timeZone, groupBy }, { signal });
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

const periods = [7, 30, 90] as const;
const groupings: OwnGrouping[] = ["model", "day", "workspace", "provider"];

/** Usage and cost of the user's own questions. */
function UsageTab() {
  const { t } = useTranslation("usage");
  const [days, setDays] = useState(30);
  const [by, setBy] = useState<OwnGrouping>("model");
  const usage = useQuery(ownUsageQuery(days, by));
  return (
    <section className="grid grid-cols-1 content-start gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label={t("period")}
          value={String(days)}
          options={periods.map((each) => ({ value: String(each), label: t(`days_${each}`) }))}
          onChange={(each) => setDays(Number(each))}
        />
        <Select
          className="h-8 w-auto max-md:h-11"
          aria-label={t("groupBy")}
          value={by}
          onChange={(event) => setBy(event.target.value as OwnGrouping)}
        >
          {groupings.map((grouping) => (
            <option key={grouping} value={grouping}>
              {t(`by.${grouping}`)}
            </option>
          ))}
        </Select>
      </div>
      {usage.isPending && (
        <div className="grid gap-3" role="status" aria-label={t("loading")}>
          {[70, 52].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {usage.error && (
        <FailedQuery
          title={t("loadFailed")}
          retryLabel={t("retry")}
          error={usage.error}
          retry={() => void usage.refetch()}
        />
      )}
      {usage.data && <UsageTiles totals={usage.data.totals} isNarrow />}
      {usage.data?.groups.length === 0 && <p className="text-fg-3">{t("empty")}</p>}
      {usage.data && usage.data.groups.length > 0 && (
        <UsageTable
          label={t("breakdown")}
          by={by}
          groups={usage.data.groups}
          isBusy={usage.isPlaceholderData}
          renderName={({ key, name }) =>
            by === "day"
              ? formatDay(key!)
              : by === "workspace"
                ? (name ?? (key === null ? t("noWorkspace") : t("gone.workspace", { id: key })))
                : nameModel(key!)
          }
        />
      )}
    </section>
  );
}

/**
 * The user's own account. Each tab saves separately; unsaved input in the other tabs is kept while
 * the dialog is open.
 */
export default function AccountDialog({
  user,
  tab,
  onClose,
}: {
  user: UserWire;
  /** Shown first. */
  tab: AccountTab;
  onClose: () => void;
}) {
  const { t } = useTranslation(["account", "common"]);
  const parts = [
    ["profile", ProfileTab],
    ["password", PasswordTab],
    ["preferences", PreferencesTab],
    ["security", SecurityTab],
    ["links", LinksTab],
    ["usage", UsageTab],
  ] as const;
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className={scrimStyles} />
        <DialogContent
          onClose={onClose}
          className={cn(
            dialogStyles,
            "max-h-[min(680px,100dvh-32px)] w-[min(600px,100vw-24px)] grid-rows-[auto_minmax(0,1fr)] gap-0 overflow-hidden p-0 max-md:h-dvh max-md:max-h-none max-md:w-screen max-md:animate-none max-md:rounded-none max-md:p-0",
          )}
          aria-describedby={undefined}
        >
          <div className="flex items-center justify-between ps-6 pe-4 pt-4 pb-2 max-md:px-4">
            <Radix.Title asChild>
              <h2 className={dialogTitleStyles}>{t("title")}</h2>
            </Radix.Title>
            <IconButton className="max-md:size-10" label={t("common:close")} onClick={onClose}>
              <X />
            </IconButton>
          </div>
          <Tabs.Root defaultValue={tab} className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
            <Tabs.List
              className="flex gap-5 overflow-x-auto border-b border-line px-6 scrollbar-none max-md:gap-4 max-md:px-4"
              aria-label={t("title")}
            >
              {parts.map(([name]) => (
                <Tabs.Trigger
                  key={name}
                  value={name}
                  className="rounded-t-[3px] pt-2 pb-2.5 font-medium whitespace-nowrap text-fg-3 hover:text-fg-1 focus-visible:-outline-offset-2 data-[state=active]:text-fg-1 data-[state=active]:shadow-[inset_0_-2px_0_var(--accent-solid)] max-md:min-h-11"
                >
                  {t(name)}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            {parts.map(([name, Part]) => (
              <Tabs.Content
                key={name}
                value={name}
                className="h-[420px] max-h-full overflow-auto px-6 pt-5 pb-6 -outline-offset-3 data-[state=inactive]:hidden max-md:h-auto max-md:px-4 max-md:pb-5"
                forceMount
              >
                <Part user={user} />
              </Tabs.Content>
            ))}
          </Tabs.Root>
        </DialogContent>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Language and theme. Both take effect at once; main.tsx saves them to the profile. */
function PreferencesTab() {
  const { t } = useTranslation(["account", "common"]);
  return (
    <div className="grid content-start gap-4">
      <Field>
        <div className={labelStyles}>
          <label htmlFor="account-language">{t("common:language")}</label>
        </div>
        <LanguagePicker className="max-w-[360px] max-md:max-w-none" id="account-language" />
      </Field>
      <Field>
        <span className={labelStyles}>{t("common:theme.label")}</span>
        <div>
          <ThemePicker />
        </div>
        <FieldHelp>{t("themeHelp")}</FieldHelp>
      </Field>
    </div>
  );
}

/** Sets a new password, which revokes all other sessions of the account. */
function PasswordTab({ user }: { user: UserWire }) {
  const { t } = useTranslation(["account", "common"]);
  const passwordRule = usePasswordRule();
  const {
    register,
    handleSubmit,
    reset,
    setError,
    formState: { errors },
  } = useForm({
    mode: "onTouched",
    defaultValues: { password: "", currentPassword: "", code: "" },
  });
  const update = useUpdateProfile({ inForm: true });
  const submit = handleSubmit((fields) => {
    const onSuccess = (): void => {
      reset();
      toast.success(t("updated"));
    };
    const onError = (error: Error): void =>
      setError(isProofFault(error) ? "currentPassword" : "password", {
        type: "server",
        message: t("notUpdated", { message: error.message }),
      });
    update.mutate(fields, { onSuccess, onError });
  });
  const fault = errors.password;
  return (
    <form className="grid content-start gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <input
        type="text"
        autoComplete="username"
        value={user.username}
        readOnly
        className="sr-only"
        tabIndex={-1}
        aria-hidden="true" /* for password managers */
      />
      <TextField
        className="max-w-[360px] max-md:max-w-none"
        label={t("currentPassword")}
        type="password"
        autoComplete="current-password"
        problem={errors.currentPassword?.message}
        {...register("currentPassword")}
      />
      {user.secondFactor && <OneTimeCodeField {...register("code")} />}
      <TextField
        className="max-w-[360px] max-md:max-w-none"
        label={t("newPassword")}
        type="password"
        help={`${passwordRule} ${t("newPasswordHelp")}`}
        autoComplete="new-password"
        problem={
          fault &&
          (fault.type === "server"
            ? fault.message
            : t(`common:credential.${fault.message as CredentialFault}`))
        }
        {...register("password", { validate: (value) => passwordFault(value) ?? true })}
      />
      <DialogFooter>
        <Button
          className="max-md:min-h-11"
          type="submit"
          variant="primary"
          disabled={update.isPending}
        >
          {update.isPending ? t("saving") : t("setPassword")}
        </Button>
      </DialogFooter>
    </form>
  );
}
