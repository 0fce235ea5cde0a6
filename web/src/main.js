// Which view is shown, and what is around it.
import { DATA, job } from "./data.js";
import { announce, draw, el, link, said } from "./elements.js";
import { changesView } from "./changes.js";
import { clusterList, clusterView } from "./clusters.js";
import { JOB_VIEWS } from "./job_views.js";
import { markCount, onMarks } from "./marks.js";
import { overview } from "./overview.js";
import { leavePair, pairView } from "./pair.js";
import { pairList } from "./pair_list.js";
import { reviewView } from "./review.js";

const VIEWS = new Map([
  ["overview", ["Overview", overview]],
  ...(DATA.changes ? [["changes", ["Changes", changesView]]] : []),
  ...(DATA.clusters.size.length > 0 ? [["clusters", ["Clusters", clusterList]]] : []),
  ["pairs", ["Pairs", pairList]],
  ...JOB_VIEWS.map(([address, name, make]) => [address, [name, make]]),
  ["review", ["Review", reviewView]],
]);
const INNER = { cluster: clusterView, pair: pairView };
const PARENT = { cluster: "clusters", pair: "pairs" };

const THEMES = ["auto", "light", "dark"];
function theme(next) {
  const root = document.documentElement;
  try {
    if (next) localStorage.setItem("lookalike:theme", next);
    else next = localStorage.getItem("lookalike:theme") ?? "auto";
  } catch {
    next ??= "auto";
  }
  root.dataset.theme = next;
  return next;
}

function header() {
  const now = theme();
  const button = el("button", { type: "button", class: "theme", onclick: () => {
    const next = theme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
    button.lastChild.textContent = next;
    announce(`Colours: ${next}`);
  } }, el("span", { class: "unseen" }, "Colours: "), el("span", {}, now));
  const logo = draw("svg", { class: "logo", viewBox: "0 0 34 24", "aria-hidden": "true" }, draw("circle", { cx: 12, cy: 12, r: 10 }), draw("circle", { cx: 22, cy: 12, r: 10 }));
  const reviewName = el("span", { class: "badge" });
  const tell = () => { reviewName.textContent = markCount() > 0 ? String(markCount()) : ""; };
  onMarks(tell);
  tell();
  const nav = el("nav", { "aria-label": "Views" }, [...VIEWS].map(([address, [name]]) => link(address, { "data-view": address }, name, address === "review" && reviewName)));
  const names = DATA.about.inputs.map((input) => input.split(/[\\/]/).filter(Boolean).at(-1) ?? input).join(", ");
  document.getElementById("top").append(el("div", { class: "bar" }, link("overview", { class: "brand" }, logo, el("span", {}, "lookalike")), el("span", { class: "jobname" }, job, el("span", { class: "quiet" }, " · ", said(names))), button), nav);
  document.title = `${names} – ${job} – lookalike`;
}

function show() {
  const [path, question] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "overview", argument = ""] = path.split("/");
  leavePair();
  const asked = new URLSearchParams(question ?? "");
  const make = INNER[view] ? () => INNER[view](decodeURIComponent(argument)) : () => (VIEWS.get(view) ?? VIEWS.get("overview"))[1](asked);
  const main = document.getElementById("main");
  main.replaceChildren(...make().flat(Infinity).filter((part) => part !== undefined && part !== false && part !== null && part !== ""));
  main.className = `view-${VIEWS.has(view) || INNER[view] ? view : "overview"}`;
  const current = PARENT[view] ?? (VIEWS.has(view) ? view : "overview");
  for (const item of document.querySelectorAll("nav [data-view]")) {
    if (item.dataset.view === current) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
  }
  document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  window.scrollTo(0, 0);
  return main;
}

header();
document.getElementById("foot").append(`lookalike ${DATA.about.version}`, DATA.anonymous ? " · names of records and sources are replaced" : "", " · this page needs no network and sends nothing");
show();
window.addEventListener("hashchange", () => show().focus({ preventScroll: true }));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
