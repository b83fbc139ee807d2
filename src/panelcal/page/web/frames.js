// Drawing in turns, one piece for each picture the screen shows, so that a large result never stops the page.

let waiting = [];
let due = false;

/** Do this when the screen has shown what was drawn before. */
export function inTurn(work) {
  waiting.push(work);
  awaitFrame();
}

function awaitFrame() {
  if (due || !waiting.length) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    waiting.shift()?.();
    awaitFrame();
  });
}

/** Draw all that is still waiting now: paper cannot wait. */
export function drawAll() {
  while (waiting.length) waiting.shift()();
}

/** What is waiting belongs to a sheet that nobody looks at any more. */
export function forgetWaiting() {
  waiting = [];
}
