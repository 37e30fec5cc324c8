// Runs after bertviz has drawn: says which square and which thumbnail is which head, and lets a keyboard reach them.
// bertviz draws anew whenever a filter or a layer is chosen, so this follows every drawing.

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const vis = document.getElementById("vis");

  function press(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.currentTarget.dispatchEvent(new MouseEvent("click"));
  }

  function name(element, role, label) {
    element.setAttribute("role", role);
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", label);
    element.addEventListener("keydown", press);
    const title = document.createElementNS(SVG, "title");
    title.textContent = label;
    element.append(title);
  }

  // bertviz paints the square of a head that is off in another colour than the head's own.
  function markSquares(squares, numbers) {
    squares.forEach((square, head) => {
      const on = square.getAttribute("fill") === headlight.colors[head % headlight.colors.length];
      square.setAttribute("aria-checked", String(on));
      numbers[head].classList.toggle("off", !on);
    });
  }

  function nameSquares(svg) {
    const group = svg.lastElementChild;
    const squares = [...group.querySelectorAll(":scope > rect")];
    group.classList.add("heads");
    const numbers = squares.map((square, head) => {
      name(square, "checkbox", headlight.say("square", { head }));
      const number = document.createElementNS(SVG, "text");
      number.textContent = String(head);
      number.setAttribute("x", String(Number(square.getAttribute("x")) + 9));
      number.setAttribute("y", "14");
      return group.appendChild(number);
    });
    const mark = () => markSquares(squares, numbers);
    mark();
    new MutationObserver(mark).observe(group, { subtree: true, attributeFilter: ["fill"] });
  }

  // In a narrow frame the detail may open beyond the edge.
  function showDetail() {
    vis.querySelector("rect.detail")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function nameThumbnails(svg) {
    for (const background of svg.querySelectorAll(".attn_background")) {
      const [layer, head] = background.id.split("_").slice(2);
      const thumbnail = background.parentNode.lastElementChild;
      name(thumbnail, "button", headlight.say("thumbnail", { layer, head }));
      thumbnail.addEventListener("click", showDetail);
    }
  }

  // The neuron view answers to the pointer over a query; the keyboard gets the same, and the page's query is shown first.
  function nameQueries(svg) {
    const tokens = [...svg.querySelectorAll("#expanded > #leftText > g")];
    const over = (token) => token.dispatchEvent(new MouseEvent("mouseover"));
    tokens.forEach((token, position) => {
      name(token, "button", headlight.say("query", { token: token.querySelector("text").textContent, position }));
      token.addEventListener("focus", () => over(token));
      token.addEventListener("blur", () => token.dispatchEvent(new MouseEvent("mouseleave")));
    });
    over(tokens[Math.min(headlight.position, tokens.length - 1)]);
  }

  function finish() {
    const svg = vis.querySelector("svg");
    if (!svg) return;
    if (svg.querySelector("#expanded")) nameQueries(svg);
    else if (svg.querySelector(".attn_background")) nameThumbnails(svg);
    else nameSquares(svg);
  }

  finish();
  new MutationObserver(finish).observe(vis, { childList: true });
})();
