import { useEffect } from "react";
import { toast as show, Toaster } from "sonner";
import { registerToaster } from "../../lib/toast.ts";
import { useTheme } from "../../lib/theme.ts";

export default function Toasts() {
  const theme = useTheme();
  useEffect(
    () =>
      registerToaster(({ kind, message }) => {
        show[kind](message);
      }),
    [],
  );
  return (
    <Toaster
      position="bottom-center"
      duration={5000}
      theme={theme === "light" ? "light" : "dark"}
      toastOptions={{ unstyled: true, classNames: { toast: "toast", icon: "toast-icon" } }}
    />
  );
}
