import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider, createRouter } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { savePreference } from "./features/account/api/profile.ts";
import { checkSession } from "./features/auth/api/auth-state.ts";
import { isSigningOut } from "./features/auth/api/sign-in.ts";
import { ApiError, dropEarlyReplies, listenProofDue, listenUnauthenticated } from "./lib/api.ts";
import { readCurrentUser } from "./lib/current-user.ts";
import { adoptLanguage, listenLanguageChosen, startI18n } from "./lib/i18n.ts";
import { followLanguage, queryClient } from "./lib/query-client.ts";
import { keys, watchStored } from "./lib/session-storage.ts";
import { listenThemeChosen, startTheme } from "./lib/theme.ts";
import { routeTree } from "./routeTree.gen.ts";
import "./styles/index.css";

startTheme();
const texts = startI18n().then(followLanguage);
refuseDrops();

const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: "intent",
  scrollRestoration: false,
  defaultPendingMs: 300,
});
declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// A 401 can mean that the session ended or only that the user's role changed, so ask the instance
// which. If the session ended, the user signs in and returns to the same page.
let asking = false;
listenUnauthenticated(() => {
  const { pathname, href } = router.state.location;
  if (asking || isSigningOut() || pathname === "/login") return;
  asking = true;
  const before = readCurrentUser()?.role;
  void checkSession({ force: true })
    .then(async (state) => {
      if (state === "authenticated")
        return before === readCurrentUser()?.role ? undefined : router.invalidate();
      queryClient.clear();
      await router.navigate({ to: "/login", search: { to: href } });
    })
    .catch(() => undefined) // no answer: the page shows the error itself
    .finally(() => {
      asking = false;
    });
});

listenProofDue(async () => (await import("./components/confirm-identity.tsx")).confirmIdentity());

// Users with an account keep their theme and language across devices; the mutation reports errors.
const keep = (preference: Parameters<typeof savePreference>[0]): void => {
  if (readCurrentUser()) void savePreference(preference).catch(() => undefined);
};
listenThemeChosen((theme) => keep({ theme }));
listenLanguageChosen((userLang) => keep({ userLang }));
// Signed in, or changed in another browser or tab.
for (const key of [keys.user, keys.language]) watchStored(key, () => void adoptLanguage());

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
const reactRoot = createRoot(root, {
  // Failed requests are shown where they happen and are not app errors.
  onCaughtError: (error) => {
    if (!(error instanceof ApiError)) console.error(error);
  },
});
// Keep the shell until the page can replace it, so that nothing flashes or shifts.
void Promise.allSettled([router.load(), texts]).then(() => {
  reactRoot.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
  setTimeout(dropEarlyReplies, 1_000);
});

/**
 * Keeps the browser from opening a file dropped where nothing accepts it, which would close the app
 * and lose what was typed. File fields accept drops themselves.
 */
function refuseDrops(): void {
  const refuse = (event: DragEvent): void => {
    const isField = event.target instanceof HTMLInputElement && event.target.type === "file";
    if (!isField && event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
}
