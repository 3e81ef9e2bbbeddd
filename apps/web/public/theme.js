// Before the first paint, so that no page flashes in the wrong theme. A file of its own because the policy refuses inline scripts.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem("theme");
  } catch (error) {
    stored = null; /* storage is off: follow the system */
  }
  var light = stored ? stored === "light" : matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.dataset.theme = light ? "light" : "default";
})();
