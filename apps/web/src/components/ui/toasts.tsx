import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toast as show, Toaster } from "sonner";
import { useTheme } from "../../lib/theme.ts";
import { registerToaster } from "../../lib/toast.ts";

export default function Toasts() {
  const theme = useTheme();
  const { t } = useTranslation();
  useEffect(
    () =>
      registerToaster(({ kind, message, undo, next, duration }) => {
        show[kind](message, {
          ...(undo && { action: { label: t("undo"), onClick: undo } }),
          ...(next && { action: { label: next.label, onClick: next.run } }),
          ...(duration !== undefined && { duration }),
        });
      }),
    [t],
  );
  return (
    <Toaster
      position="bottom-center"
      duration={5000}
      // Above the bar that the page may have at its end (base.css).
      offset={{ bottom: "var(--toast-bottom)" }}
      mobileOffset={{ bottom: "var(--toast-bottom)" }}
      theme={theme === "light" ? "light" : "dark"}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            // A dialog blocks the pointer everywhere else on the page.
            "group/toast pointer-events-auto flex w-[340px] items-center gap-2.5 rounded-md border border-line bg-overlay px-3 py-2.5 font-sans text-sm font-regular text-fg-1 shadow-float",
          actionButton:
            "ms-auto h-7 flex-none rounded-sm px-2 font-medium text-accent hover:bg-hover max-md:h-9",
          icon: "flex text-fg-2 group-data-[type=error]/toast:text-danger group-data-[type=success]/toast:text-success",
        },
      }}
    />
  );
}
