import { lazy, Suspense, type ComponentProps } from "react";

const Confirm = lazy(() => import("./confirm-dialog.tsx"));
const Name = lazy(() => import("./name-dialog.tsx"));

/** Dialogs are loaded when the first one opens. */
export const ConfirmDialog = (props: ComponentProps<typeof Confirm>) => (
  <Suspense>
    <Confirm {...props} />
  </Suspense>
);
export const NameDialog = (props: ComponentProps<typeof Name>) => (
  <Suspense>
    <Name {...props} />
  </Suspense>
);
