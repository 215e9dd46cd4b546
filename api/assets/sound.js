// Sounds made by Web Audio. Off until somebody switches them on, which this device remembers.
let air;

/** The place of all sounds. A browser lets nothing sound before somebody touches the page. */
export function context() {
  air ??= new AudioContext();
  air.resume();
  return air;
}

/** Makes a checkbox the switch of a sound, remembered as `kept`. Returns a function that sounds it while it is on. */
export function switchSound(box, kept, sound) {
  box.checked = localStorage.getItem(kept) !== null;
  box.addEventListener("change", () => {
    if (box.checked) localStorage.setItem(kept, "on");
    else localStorage.removeItem(kept);
    if (box.checked) sound();
  });
  return () => box.checked && sound();
}
