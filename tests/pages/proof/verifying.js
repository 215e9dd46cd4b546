// Run in the browser by test_verifying.py: what the scripts of the page make of files and trees.
async ({assets, files, keys, inclusion, consistency}) => {
  const {verifyFile} = await import(`${assets}/proof/file.js`), {readKeys, fromBase64} = await import(`${assets}/proof/notes.js`);
  const {lies, goesOn} = await import(`${assets}/proof/tree.js`);
  const known = readKeys(keys), bytes = text => Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
  const proven = async file => {
    const {checkpoint, last, marks, stood} = await verifyFile(file, known);
    return [checkpoint.origin, checkpoint.size, last, marks.get(last), stood];
  };
  const all = (cases, judge) => Promise.all(cases.map(judge));
  return {
    files: await all(files, file => proven(file).catch(fault => fault.reason ?? `fell over: ${fault}`)),
    inclusion: await all(inclusion, one => lies(bytes(one.leafHash), one.leafIdx, one.treeSize, one.proof.map(bytes), bytes(one.root))),
    consistency: await all(consistency, one => goesOn(one.size1, one.size2, one.proof.map(bytes), bytes(one.root1), bytes(one.root2))),
    spelled: ["AA==", "AB==", "A", "AA=="].map((text, at) => { try { return fromBase64(text, at === 3 ? 2 : 1).length; } catch (fault) { return fault.reason; } }),
  };
}
