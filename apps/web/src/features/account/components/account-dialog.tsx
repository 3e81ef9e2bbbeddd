import "../texts.ts";
import type { UserWire } from "@carrel/contracts";
import { X } from "lucide-react";
import { Dialog as Radix, Tabs } from "radix-ui";
import { useTranslation } from "react-i18next";
import {
  DialogContent,
  dialogStyles,
  dialogTitleStyles,
  scrimStyles,
} from "../../../components/ui/dialog.tsx";
import { cn } from "../../../lib/cn.ts";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import type { AccountTab } from "../state/account-request.ts";
import { PasswordTab } from "./password-tab.tsx";
import { PreferencesTab } from "./preferences-tab.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import { LinksTab } from "./links-tab.tsx";
import { SecurityTab } from "./security-tab.tsx";
import { UsageTab } from "./usage-tab.tsx";

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
