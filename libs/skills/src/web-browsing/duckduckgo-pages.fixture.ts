/** A result page of html.duckduckgo.com, shortened to what is read: an ad and two results. */
export const duckDuckGoPage = `<!DOCTYPE html><html><body><div id="links" class="results">
<div class="result results_links results_links_deep result--ad">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example&amp;u3=x">Buy tides</a></h2>
  <a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Ad</a></div>
<div class="result results_links results_links_deep web-result">
  <div class="links_main links_deep result__body"><h2 class="result__title">
  <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftides.example%2Ftables&amp;rut=abc">Tide &amp; tables</a></h2>
  <a class="result__snippet" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftides.example%2Ftables">High water at <b>Skarnholm</b>.</a></div></div>
<div class="result results_links results_links_deep web-result">
  <h2 class="result__title"><a class="result__a" href="https://harbour.example/">Harbour</a></h2></div>
</div></body></html>`;

export const duckDuckGoCaptcha = `<html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js">
<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>`;

export const duckDuckGoNothing = `<html><body><div id="links" class="results">
<div class="result results_links result--no-result"><div class="no-results">No results.</div></div></div></body></html>`;
