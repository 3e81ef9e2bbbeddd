import "../texts.ts";
import type { UserWire } from "@carrel/contracts";
import { X } from "lucide-react";
import { Dialog as Radix, Tabs } from "radix-ui";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { PasswordTab } from "./password-tab.tsx";
import { PreferencesTab } from "./preferences-tab.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import { SecurityTab } from "./security-tab.tsx";

/**
 * The user's own account. Each tab saves separately; unsaved input in the other tabs is kept while
 * the dialog is open.
 */
export default function AccountDialog({ user, onClose }: { user: UserWire; onClose: () => void }) {
  const { t } = useTranslation(["account", "common"]);
  const parts = [
    ["profile", ProfileTab],
    ["password", PasswordTab],
    ["preferences", PreferencesTab],
    ["security", SecurityTab],
  ] as const;
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="scrim-over" />
        <Radix.Content className="dialog centred account" aria-describedby={undefined}>
          <div className="account-head">
            <Radix.Title asChild>
              <h2>{t("title")}</h2>
            </Radix.Title>
            <IconButton label={t("common:close")} onClick={onClose}>
              <X className="i" />
            </IconButton>
          </div>
          <Tabs.Root defaultValue="profile" className="account-body">
            <Tabs.List className="account-tabs" aria-label={t("title")}>
              {parts.map(([name]) => (
                <Tabs.Trigger key={name} value={name}>
                  {t(name)}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            {parts.map(([name, Part]) => (
              <Tabs.Content key={name} value={name} className="account-part" forceMount>
                <Part user={user} />
              </Tabs.Content>
            ))}
          </Tabs.Root>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
