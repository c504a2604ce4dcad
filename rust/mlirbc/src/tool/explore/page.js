'use strict';
(() => {
// What is on the page comes from a file that nobody vouches for: it becomes text, never markup.
const $ = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';
const parts = new Map();
const raw = id => {
  if (!parts.has(id)) {
    const part = $(id);
    if (!part) return null;
    parts.set(id, JSON.parse(part.textContent));
  }
  return parts.get(id);
};
const meta = raw('meta');
const symbols = raw('symbols');
const el = (name, cls, text) => {
  const e = document.createElement(name);
  if (cls) e.className = cls;
  if (text !== undefined) e.textContent = text;
  return e;
};
const svg = (name, attrs, text) => {
  const e = document.createElementNS(SVG, name);
  for (const key in attrs) e.setAttribute(key, attrs[key]);
  if (text !== undefined) e.textContent = text;
  return e;
};
const number = n => n.toLocaleString('en');
const bytes = n => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  while (n >= 1024 && at < 4) { n /= 1024; at++; }
  return (at ? n.toFixed(1) : n) + ' ' + units[at];
};
const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;
const clear = e => { while (e.firstChild) e.removeChild(e.firstChild); };
const debounce = (run, wait) => {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(run, wait); };
};

// ---- the data in parts ----

// A part of the lines, with its names and operations by line.
const chunk = n => {
  const part = raw('l' + n);
  if (!part || part.lines) return part;
  part.lines = part.t.split('\n');
  part.names = [];
  part.ops = new Map();
  let line = 0;
  for (let i = 0; i < part.m.length; i += 4) {
    line += part.m[i];
    (part.names[line] ||= []).push([part.m[i + 1], part.m[i + 2], part.m[i + 3] >> 1, part.m[i + 3] & 1]);
  }
  for (let i = 0; i < part.o.length; i += 3) part.ops.set(part.o[i], [part.o[i + 1], part.o[i + 2]]);
  return part;
};
const line = n => {
  const part = chunk(Math.floor(n / meta.chunk));
  const at = n % meta.chunk;
  return part && { text: part.lines[at] ?? '', names: part.names[at] || [], op: part.ops.get(at) };
};
const row = (prefix, n) => (raw(prefix + Math.floor(n / meta.rows)) || [])[n % meta.rows];
const value = n => {
  const part = raw('v' + Math.floor(n / meta.rows));
  const at = n % meta.rows;
  return part && { line: part.l[at], type: row('t', part.t[at]) ?? '', count: part.n[at], uses: part.u[at] };
};
const OP = /^\s*(?:(?:%[^=]*?)=\s*)?("[^"]*"|[\w.$]+)/;
const opName = text => {
  const found = OP.exec(text);
  return found ? found[1].replace(/^"|"$/g, '') : '';
};

// ---- symbols ----

const parents = [];
{
  const open = [];
  symbols.forEach((s, i) => {
    open.length = s[4];
    parents.push(open.length ? open[open.length - 1] : -1);
    open.push(i);
  });
}
const byName = new Map();
symbols.forEach((s, i) => { if (!byName.has(s[0])) byName.set(s[0], i); });
// The innermost symbol around a line.
const symbolAt = n => {
  let low = 0, high = symbols.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (symbols[middle][2] <= n) low = middle + 1; else high = middle;
  }
  let at = low - 1;
  while (at >= 0 && symbols[at][3] < n) at = parents[at];
  return at;
};
const named = (name, from) => {
  for (let i = 0; i < symbols.length && i < 5000; i++) {
    if (symbols[i][0] === name && parents[i] === (from < 0 ? -1 : parents[from])) return i;
  }
  return byName.get(name) ?? -1;
};

// ---- lists that render what is visible ----

// The tallest element that every browser scrolls exactly.
const TALL = 8e6;
const virtual = (box, height, draw) => {
  const space = box.querySelector('.space');
  const rows = box.querySelector('.rows');
  let count = 0, top = 0, own = -1;
  const room = () => Math.max(1, box.clientHeight);
  const full = () => Math.min(TALL, count * height + 40);
  const ratio = () => Math.max(0, count * height + 40 - room()) / Math.max(1, full() - room());
  const paint = () => {
    const first = Math.max(0, Math.floor(top / height) - 8);
    const end = Math.min(count, Math.ceil((top + room()) / height) + 8);
    clear(rows);
    for (let i = first; i < end; i++) rows.appendChild(draw(i));
    rows.style.transform = 'translateY(' + (box.scrollTop + first * height - top) + 'px)';
  };
  const place = to => {
    top = Math.max(0, Math.min(to, count * height + 40 - room()));
    own = box.scrollTop = top / ratio() || 0;
    own = box.scrollTop;
    paint();
  };
  box.addEventListener('scroll', () => {
    if (box.scrollTop !== own || ratio() === 1) top = box.scrollTop * ratio();
    own = box.scrollTop;
    paint();
  }, { passive: true });
  box.addEventListener('wheel', e => {
    if (ratio() <= 1 || e.ctrlKey) return;
    e.preventDefault();
    place(top + e.deltaY * (e.deltaMode ? height : 1));
    box.scrollLeft += e.deltaX;
  });
  box.addEventListener('keydown', e => {
    const by = { ArrowDown: height, ArrowUp: -height, PageDown: room() - 2 * height, PageUp: 2 * height - room() }[e.key];
    const to = { Home: 0, End: count * height }[e.key];
    if (by === undefined && to === undefined || e.target !== box) return;
    e.preventDefault();
    place(to ?? top + by);
  });
  new ResizeObserver(paint).observe(box);
  return {
    paint,
    set(n) { count = n; space.style.height = full() + 'px'; paint(); },
    show(i, force) {
      const at = i * height;
      if (force || at < top || at > top + room() - 2 * height) place(at - room() / 3);
      else paint();
    },
  };
};

// ---- the assembly ----

let selected = -1, same = -1, query = '';
const WORD = /\/\/.*|"(?:[^"\\]|\\.)*"?|@(?:"(?:[^"\\]|\\.)*"|[\w.$-]+)|%[\w.$#-]+|\^\w+|![\w.$]+|#[\w.$]+|[A-Za-z_][\w.$]*|\d[\w.]*(?:(?<=[eE])[+-]\d+)?/g;
const TYPE = /^(?:[su]?i\d+|b?f\d\w*|tf32|index|none|tensor|memref|vector|tuple|complex|x[\dxfibs]\w*|\d[\dx]*x\w+)$/;
const paintWords = (to, text, state) => {
  let last = 0;
  const plain = end => { if (end > last) to.appendChild(document.createTextNode(text.slice(last, end))); };
  for (const found of text.matchAll(WORD)) {
    const word = found[0], c = word[0];
    let cls = '';
    if (c === '/') cls = 'c';
    else if (c === '"') { cls = state.start ? 'o' : 'q'; state.start = false; }
    else if (c === '@') cls = 's';
    else if (c === '%') cls = 'v';
    else if (c === '^') cls = 's';
    else if (c === '!') cls = 't';
    else if (c === '#') cls = 'a';
    else if (TYPE.test(word) && !/^0x/.test(word)) cls = 't';
    else if (c >= '0' && c <= '9') cls = 'n';
    else if (state.start) { cls = 'o'; state.start = false; }
    if (/[({[<]/.test(text.slice(last, found.index))) state.start = false;
    if (!cls) continue;
    plain(found.index);
    const span = el('span', cls, word);
    if (c === '@') {
      const name = word.slice(1).replace(/^"|"$/g, '');
      if (byName.has(name)) span.dataset.y = name;
    }
    to.appendChild(span);
    last = found.index + word.length;
  }
  plain(text.length);
};
const drawLine = n => {
  const e = el('div', n === selected ? 'row on' : 'row');
  e.dataset.n = n;
  e.appendChild(el('span', 'no', String(n + 1)));
  const data = line(n);
  if (!data) { e.appendChild(el('span', 'c', '…')); return e; }
  const state = { start: true };
  let last = 0;
  for (const [at, len, number, isDefinition] of data.names) {
    paintWords(e, data.text.slice(last, at), state);
    const span = el('span', number === same ? 'v same' : 'v', data.text.slice(at, at + len));
    span.dataset.v = number;
    if (isDefinition) span.dataset.d = 1;
    e.appendChild(span);
    last = at + len;
  }
  paintWords(e, data.text.slice(last), state);
  if (query && n === selected) markQuery(e, query);
  return e;
};
// Marks the first place of what was searched for, within one piece of text.
const markQuery = (e, what) => {
  const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, at = node.data.toLowerCase().indexOf(what);
    if (at < 0) continue;
    const rest = node.splitText(at);
    rest.splitText(what.length);
    const mark = el('mark', '', rest.data);
    rest.replaceWith(mark);
    return;
  }
};
const code = virtual($('code'), 19, drawLine);

const go = n => {
  const hash = '#L' + (n + 1);
  if (location.hash === hash) select(n); else location.hash = hash;
};
const select = n => {
  if (!(n >= 0 && n < meta.lines)) return;
  selected = n;
  show('text');
  code.show(n);
  detail(n);
  const symbol = symbolAt(n);
  if (symbol >= 0) { current = symbol; listed.reveal(symbol); }
};
const fromHash = () => {
  const found = /^#L(\d+)$/.exec(location.hash);
  if (found) select(found[1] - 1);
};
addEventListener('hashchange', fromHash);

const link = (text, run) => {
  const a = el('a', '', text);
  a.tabIndex = 0;
  a.addEventListener('click', run);
  a.addEventListener('keydown', e => { if (e.key === 'Enter') run(); });
  return a;
};
// What there is to know about the operation in a line.
const detail = n => {
  const box = $('detail'), data = line(n);
  clear(box);
  if (!data) return;
  const table = el('table');
  const add = (title, ...cells) => {
    const tr = el('tr');
    tr.appendChild(el('td', '', title));
    const td = el('td');
    cells.forEach(cell => td.append(cell));
    tr.appendChild(td);
    table.appendChild(tr);
  };
  const location = data.op ? row('c', data.op[1]) : undefined;
  const name = data.op ? opName(data.text) : '';
  add('line ' + number(n + 1), el('span', 'o', name), location ? el('span', 'dim', (name ? '  ' : '') + location) : '');
  const seen = new Set();
  for (const [at, len, id, isDefinition] of data.names) {
    if (seen.has(id) || seen.size >= 40) continue;
    seen.add(id);
    const v = value(id);
    if (!v) continue;
    const cells = [el('span', 'v', data.text.slice(at, at + len)), el('span', 't', '  ' + v.type + '  ')];
    if (isDefinition) {
      cells.push(el('span', 'dim', v.count ? (v.count === 1 ? 'used in line ' : number(v.count) + ' uses, in lines ') : 'no uses'));
      [...new Set(v.uses)].slice(0, 60).forEach(use => cells.push(link(number(use + 1), () => { same = id; go(use); })));
      if (v.count > v.uses.length || new Set(v.uses).size > 60) cells.push(el('span', 'dim', '…'));
    } else if (v.line >= 0) {
      cells.push(el('span', 'dim', 'defined in line '), link(number(v.line + 1), () => { same = id; go(v.line); }));
    }
    add(isDefinition ? 'defines' : 'uses', ...cells);
  }
  box.appendChild(table);
};
$('code').addEventListener('click', e => {
  const rowOf = e.target.closest('.row');
  if (!rowOf || String(getSelection())) return;
  const n = +rowOf.dataset.n, { v, d, y } = e.target.dataset;
  if (y !== undefined) {
    const to = named(y, symbolAt(n));
    if (to >= 0) return go(symbols[to][2]);
  }
  if (v !== undefined) {
    same = +v;
    const to = value(same);
    if (d === undefined && to && to.line >= 0) return go(to.line);
  } else same = -1;
  go(n);
  code.paint();
});

// ---- what is below the pointer ----

const tip = $('tip');
$('code').addEventListener('mousemove', e => {
  const rowOf = e.target.closest('.row');
  const rows = [];
  if (rowOf && e.target.dataset.v !== undefined) {
    const v = value(+e.target.dataset.v);
    if (v) {
      rows.push(['', e.target.textContent + ' : ' + v.type]);
      if (v.line >= 0 && !e.target.dataset.d) rows.push(['dim', 'line ' + number(v.line + 1) + ':  ' + cut((line(v.line) || { text: '' }).text.trim(), 160)]);
      rows.push(['dim', v.count === 1 ? '1 use' : number(v.count) + ' uses']);
    }
  } else if (rowOf && e.target.dataset.y !== undefined) {
    const to = named(e.target.dataset.y, symbolAt(+rowOf.dataset.n));
    if (to >= 0) rows.push(['', symbols[to][1] + ' @' + symbols[to][0]], ['dim', 'line ' + number(symbols[to][2] + 1) + ', ' + number(symbols[to][5]) + ' operations']);
  } else if (rowOf && e.target.classList.contains('o')) {
    const data = line(+rowOf.dataset.n);
    const location = data && data.op && row('c', data.op[1]);
    if (location) rows.push(['', opName(data.text)], ['dim', location]);
  }
  tip.hidden = !rows.length;
  if (!rows.length) return;
  clear(tip);
  rows.forEach(([cls, text]) => tip.appendChild(el('div', cls, text)));
  const size = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(e.clientX + 12, innerWidth - size.width - 8)) + 'px';
  tip.style.top = (e.clientY + 20 + size.height > innerHeight ? e.clientY - size.height - 12 : e.clientY + 20) + 'px';
});
$('code').addEventListener('mouseleave', () => { tip.hidden = true; });
$('code').addEventListener('scroll', () => { tip.hidden = true; }, { passive: true });

// ---- the list of symbols, or of what was found ----

let current = -1, found = null;
const listed = (() => {
  const folded = new Set();
  const hasInner = i => i + 1 < symbols.length && symbols[i + 1][4] > symbols[i][4];
  let shown = [];
  const list = virtual($('list'), 24, i => {
    const e = el('div', 'row');
    if (found) {
      const hit = found.rows[i];
      if (hit.symbol !== undefined) { drawSymbol(e, hit.symbol, 0); return e; }
      e.className = hit.line === selected ? 'row hit on' : 'row hit';
      e.appendChild(el('span', 'c', number(hit.line + 1) + '  '));
      e.append(hit.before);
      e.appendChild(el('mark', '', hit.text));
      e.append(hit.after);
      e.addEventListener('click', () => { go(hit.line); code.paint(); list.paint(); });
      return e;
    }
    drawSymbol(e, shown[i], symbols[shown[i]][4]);
    return e;
  });
  const drawSymbol = (e, i, depth) => {
    const [name, op, at, , , ops, size] = symbols[i];
    e.style.paddingLeft = 20 + 14 * Math.min(depth, 12) + 'px';
    if (i === current) e.classList.add('on');
    if (!found && hasInner(i)) {
      const fold = el('span', 'fold', folded.has(i) ? '▸' : '▾');
      fold.addEventListener('click', event => {
        event.stopPropagation();
        if (!folded.delete(i)) folded.add(i);
        refresh();
      });
      e.appendChild(fold);
    }
    e.appendChild(el('span', 's', cut(name || '(unnamed)', 80)));
    e.appendChild(el('small', '', op + (ops > 1 ? ' · ' + number(ops) : '') + (size > 0 ? ' · ' + bytes(size) : '')));
    e.title = '@' + name + '\n' + op + ', ' + number(ops) + ' operations' + (size > 0 ? ', ' + bytes(size) : '');
    e.addEventListener('click', () => {
      current = i;
      if (pane === 'flow' || pane === 'graph') { list.paint(); panes[pane].draw(); }
      else go(at);
    });
  };
  const refresh = () => {
    if (found) {
      $('sidehead').textContent = found.busy ? 'Searching…' : found.total === 0 ? 'Nothing found' :
        number(found.total) + (found.total === 1 ? ' result' : ' results') + (found.total > found.rows.length ? ', the first ' + number(found.rows.length) : '');
      list.set(found.rows.length);
      return;
    }
    shown = [];
    for (let i = 0; i < symbols.length; i++) {
      shown.push(i);
      if (folded.has(i)) {
        const depth = symbols[i][4];
        while (i + 1 < symbols.length && symbols[i + 1][4] > depth) i++;
      }
    }
    $('sidehead').textContent = symbols.length === 1 ? '1 symbol' : number(symbols.length) + ' symbols';
    list.set(shown.length);
  };
  return {
    refresh,
    reveal(i) {
      if (found) return list.paint();
      const at = shown.indexOf(i);
      if (at >= 0) list.show(at); else list.paint();
    },
  };
})();

// ---- search ----

const HITS = 1000;
let searching = 0;
const search = () => {
  const mine = ++searching;
  query = $('search').value.toLowerCase();
  if (!query) { found = null; listed.refresh(); code.paint(); return; }
  found = { rows: [], total: 0, busy: true };
  const add = hit => { if (found.rows.length < HITS) found.rows.push(hit); found.total++; };
  const name = query.replace(/^@/, '');
  if (name) symbols.forEach((s, i) => { if (s[0].toLowerCase().includes(name)) add({ symbol: i }); });
  let at = 0;
  const step = () => {
    if (mine !== searching) return;
    const until = performance.now() + 12;
    const end = Math.ceil(meta.lines / meta.chunk);
    while (at < end && performance.now() < until) {
      const part = raw('l' + at);
      if (!part) break;
      const text = part.t, low = text.toLowerCase();
      // Lower case may be longer than the text in a few alphabets; lines are found in what was searched.
      const same = low.length === text.length ? text : low;
      let n = 0, from = 0;
      for (let hit = low.indexOf(query); hit >= 0;) {
        for (let next; (next = same.indexOf('\n', from)) >= 0 && next < hit; from = next + 1) n++;
        let stop = same.indexOf('\n', hit);
        if (stop < 0) stop = same.length;
        const before = same.slice(from, hit).trimStart();
        add({
          line: at * meta.chunk + n,
          before: before.length > 24 ? '…' + before.slice(-22) : before,
          text: same.slice(hit, Math.min(stop, hit + query.length)),
          after: same.slice(hit + query.length, Math.min(stop, hit + query.length + 120)),
        });
        // One for each line.
        hit = low.indexOf(query, stop);
      }
      at++;
    }
    const isLoading = document.readyState === 'loading';
    found.busy = at < end && (isLoading || performance.now() >= until);
    listed.refresh();
    if (found.busy) setTimeout(step, isLoading ? 50 : 0);
    else code.paint();
  };
  step();
};
$('search').addEventListener('input', debounce(search, 80));
$('search').addEventListener('keydown', e => {
  if (e.key === 'Escape') { e.target.value = ''; search(); e.target.blur(); }
  if (e.key !== 'Enter' || !found) return;
  const lines = found.rows.map(hit => hit.symbol === undefined ? hit.line : symbols[hit.symbol][2]);
  if (!lines.length) return;
  const step = e.shiftKey ? -1 : 1;
  found.at = ((found.at ?? (step > 0 ? -1 : 0)) + step + lines.length) % lines.length;
  go(lines[found.at]);
});
addEventListener('keydown', e => {
  if (e.key === '/' && e.target.tagName !== 'INPUT') { e.preventDefault(); $('search').focus(); $('search').select(); }
});
const searchFor = text => { $('search').value = text; search(); show('text'); };

// ---- graphs in layers ----

const GAP = 18, RISE = 42;
const MOST_BENDS = 4000;
// Places nodes of one level; edges go between them. Nodes have w and h, and get x and y, and the bends of edges that pass
// other layers, by the place of the other end.
const layered = (level, edges) => {
  const nodes = [...level];
  let count = nodes.length;
  const below = nodes.map(() => []), above = nodes.map(() => []);
  for (const [from, to] of edges) if (from < to) { below[from].push(to); above[to].push(from); }
  const layer = new Array(count).fill(0);
  for (let i = 0; i < count; i++) for (const to of below[i]) layer[to] = Math.max(layer[to], layer[i] + 1);
  // What needs nothing, such as a constant, is next to its first user.
  for (let i = count - 1; i >= 0; i--) {
    if (!above[i].length && below[i].length) layer[i] = below[i].reduce((least, to) => Math.min(least, layer[to]), Infinity) - 1;
  }
  // An edge over several layers passes each of them between nodes.
  let bends = 0;
  const passed = new Set();
  level.forEach((node, from) => {
    node.bends = new Map();
    below[from].forEach((to, at) => {
      const between = layer[to] - layer[from] - 1;
      const key = from + ' ' + to;
      if (between < 1 || passed.has(key) || bends + between > MOST_BENDS) return;
      passed.add(key);
      bends += between;
      const way = [];
      let last = from;
      for (let i = 1; i <= between; i++) {
        const bend = nodes.push({ w: 2, h: 0 }) - 1;
        layer.push(layer[from] + i);
        below.push([]);
        above.push([last]);
        if (last === from) below[from][at] = bend; else below[last].push(bend);
        way.push(nodes[bend]);
        last = bend;
      }
      below[last].push(to);
      above[to][above[to].indexOf(from)] = last;
      node.bends.set(to, way);
    });
  });
  count = nodes.length;
  const rows = [];
  // Nodes without edges share rows of their own.
  const loose = [];
  for (let i = 0; i < count; i++) {
    if (above[i].length || below[i].length) (rows[layer[i]] ||= []).push(i); else loose.push(i);
  }
  const kept = rows.filter(Boolean);
  for (let i = 0; i < loose.length; i += 8) kept.push(loose.slice(i, i + 8));
  const place = new Array(count);
  const number = () => kept.forEach(of => of.forEach((i, at) => { place[i] = at / of.length; }));
  number();
  const mean = (of, get, otherwise) => of.length ? of.reduce((sum, i) => sum + get(i), 0) / of.length : otherwise;
  for (let pass = 0; pass < 6; pass++) {
    const order = pass % 2 ? [...kept].reverse() : kept;
    const near = pass % 2 ? below : above;
    for (const of of order) {
      const key = new Map(of.map(i => [i, mean(near[i], j => place[j], place[i])]));
      of.sort((a, b) => key.get(a) - key.get(b) || a - b);
      of.forEach((i, at) => { place[i] = at / of.length; });
    }
  }
  let y = 0;
  for (const of of kept) {
    let x = 0;
    const height = of.reduce((most, i) => Math.max(most, nodes[i].h), 0);
    for (const i of of) {
      if (!nodes[i].h) nodes[i].h = height;
      nodes[i].x = x;
      nodes[i].y = y;
      x += nodes[i].w + GAP;
    }
    y += height + RISE;
  }
  const middle = i => nodes[i].x + nodes[i].w / 2;
  for (let pass = 0; pass < 8; pass++) {
    const near = pass % 2 ? below : above;
    const order = pass % 2 ? [...kept].reverse() : kept;
    for (const of of order) {
      const want = of.map(i => mean(near[i], middle, middle(i)) - nodes[i].w / 2);
      const left = [], right = [];
      of.forEach((i, at) => { left[at] = at ? Math.max(want[at], left[at - 1] + nodes[of[at - 1]].w + GAP) : want[at]; });
      for (let at = of.length - 1; at >= 0; at--) {
        right[at] = at === of.length - 1 ? want[at] : Math.min(want[at], right[at + 1] - nodes[of[at]].w - GAP);
      }
      // Both keep the distances, and so does their mean.
      of.forEach((i, at) => { nodes[i].x = (left[at] + right[at]) / 2; });
    }
  }
  const least = nodes.reduce((x, node) => Math.min(x, node.x), Infinity);
  nodes.forEach(node => { node.x -= least; });
  return {
    w: nodes.reduce((most, node) => Math.max(most, node.x + node.w), 0),
    h: Math.max(0, y - RISE),
  };
};
// A picture with buttons, which is drawn again by `draw`.
const picture = (box, title, facts, buttons) => {
  clear(box);
  const bar = el('div', 'bar');
  bar.appendChild(el('b', '', title));
  bar.appendChild(el('span', 'dim', facts));
  const canvas = el('div', 'canvas');
  let scale = 1, shape = null, size = null;
  const apply = () => {
    if (!shape) return;
    shape.setAttribute('width', size.w * scale);
    shape.setAttribute('height', size.h * scale);
  };
  const zoom = by => { scale = Math.min(3, Math.max(.05, scale * by)); apply(); };
  const fit = () => {
    scale = Math.min(1.2, canvas.clientWidth / size.w, canvas.clientHeight / size.h) || 1;
    apply();
  };
  const all = [...buttons, ['−', () => zoom(1 / 1.25)], ['+', () => zoom(1.25)], ['fit', fit]];
  for (const [text, run, off] of all) {
    const button = el('button', '', text);
    button.addEventListener('click', run);
    button.disabled = !!off;
    bar.appendChild(button);
  }
  canvas.addEventListener('wheel', e => {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    zoom(e.deltaY < 0 ? 1.1 : 1 / 1.1);
  });
  box.append(bar, canvas);
  return (made, w, h) => {
    shape = made;
    size = { w, h };
    shape.setAttribute('viewBox', '0 0 ' + w + ' ' + h);
    clear(canvas);
    canvas.appendChild(shape);
    fit();
    // Too small to be read: better a part of it.
    if (scale < .4) { scale = .8; apply(); canvas.scrollLeft = (w * scale - canvas.clientWidth) / 2; }
  };
};
const curve = (x1, y1, x2, y2) => {
  const bend = Math.max(18, Math.abs(y2 - y1) / 2);
  return 'C' + x1 + ' ' + (y1 + bend) + ' ' + x2 + ' ' + (y2 - bend) + ' ' + x2 + ' ' + y2;
};
const wide = text => 7 * text.length + 22;
const drawNode = (node, parent, paths) => {
  const g = svg('g', { class: 'node' + (node.inner ? ' box' : '') + (node.on ? ' on' : '') });
  g.appendChild(svg('rect', { x: node.X, y: node.Y, width: node.w, height: node.h, rx: 6 }));
  g.appendChild(svg('text', { x: node.X + 10, y: node.Y + 16 }, node.title));
  if (node.sub) g.appendChild(svg('text', { x: node.X + 10, y: node.Y + 30, class: 'sub' }, node.sub));
  if (node.fold) {
    const sign = svg('text', { x: node.X + node.w - 16, y: node.Y + 17, class: 'plus' }, node.inner ? '−' : '+');
    sign.addEventListener('click', e => { e.stopPropagation(); node.fold(); });
    g.appendChild(sign);
  }
  g.appendChild(svg('title', {}, node.tip));
  g.addEventListener('click', e => { e.stopPropagation(); node.open(); });
  const near = on => paths.forEach(p => { if (p.from === node || p.to === node) p.path.classList.toggle('near', on); });
  g.addEventListener('mouseenter', () => near(true));
  g.addEventListener('mouseleave', () => near(false));
  parent.appendChild(g);
};
const drawEdges = (edges, into) => edges.map(({ from, to, count, way }) => {
  const isInside = from.X <= to.X && from.X + from.w >= to.X + to.w && from.Y <= to.Y && from.Y + from.h >= to.Y + to.h;
  const y1 = isInside ? from.Y + 24 : from.Y + from.h;
  let x = from.X + from.w / 2, y = y1, d = 'M' + x + ' ' + y;
  for (const bend of way || []) {
    const at = from.X - from.x + bend.x + 1, top = from.Y - from.y + bend.y;
    d += curve(x, y, at, top) + 'V' + (top + bend.h);
    x = at;
    y = top + bend.h;
  }
  d += curve(x, y, to.X + to.w / 2, to.Y);
  const path = svg('path', {
    d,
    class: y1 > to.Y ? 'back' : '',
    'stroke-width': Math.min(4, 1 + Math.log2(count || 1) / 2),
  });
  into.appendChild(path);
  return { from, to, path };
});

// ---- data flow of a symbol ----

const MOST = 600;
const unfolded = new Set();
let flowFrom = 0, flowOf = -1;
const drawFlow = () => {
  const box = $('flow');
  const symbol = current >= 0 ? current : symbols.findIndex((s, i) => s[5] > 1 && (symbols[i + 1] || s)[4] <= s[4]);
  if (symbol !== flowOf) { flowFrom = 0; flowOf = symbol; }
  if (symbol !== current) { current = symbol; listed.reveal(symbol); }
  const first = symbol < 0 ? 0 : symbols[symbol][2], end = symbol < 0 ? meta.lines - 1 : symbols[symbol][3];
  const root = { line: first, end, children: [], parent: null };
  // Operations that are shown; those in a folded one belong to it.
  const owner = new Map();
  const open = [root];
  let shownOps = 0, all = 0, stopped = end;
  const nodes = [];
  for (let n = first; n <= end; n++) {
    const data = line(n);
    if (!data) break;
    while (open.length > 1 && open[open.length - 1].end < n) open.pop();
    const around = open[open.length - 1];
    if (data.op && n > first && (around === root || unfolded.has(around.line))) {
      const isTop = around === root;
      if (isTop) all++;
      if (!isTop || all > flowFrom) {
        if (shownOps >= MOST) { stopped = n - 1; break; }
        const node = { line: n, end: n + data.op[0], children: [], parent: around, text: data.text };
        shownOps++;
        around.children.push(node);
        nodes.push(node);
        open.push(node);
      } else {
        n += data.op[0];
        continue;
      }
    }
    owner.set(n, open[open.length - 1]);
  }
  // The arguments of its blocks are one node, which comes first.
  const heads = [...owner].filter(([, around]) => around === root).flatMap(([n]) => {
    const { text, names } = line(n);
    return names.filter(name => name[3]).map(name => text.slice(name[0], name[0] + name[1]));
  });
  const tops = root.children.length;
  const inputs = { line: first, end: first, children: [], parent: root, text: 'arguments', inputs: heads.join(' ') };
  if (heads.length) { root.children.unshift(inputs); nodes.unshift(inputs); }
  const edges = new Map();
  for (const [n, to] of owner) {
    for (const [, , id, isDefinition] of line(n).names) {
      if (isDefinition) continue;
      const at = owner.get((value(id) || { line: -1 }).line);
      const from = at === root ? inputs : at;
      if (!from || from === to || to === root) continue;
      const key = from.line + ' ' + to.line;
      const edge = edges.get(key) || { from, to, count: 0 };
      edge.count++;
      edges.set(key, edge);
    }
  }
  // Edges between the children of each node.
  const depth = node => { let d = 0; for (; node.parent; node = node.parent) d++; return d; };
  const levels = new Map([[root, []]]);
  nodes.forEach((node, i) => { node.at = node.parent.children.indexOf(node); node.depth = depth(node); });
  root.depth = 0;
  for (const { from, to } of edges.values()) {
    let a = from, b = to;
    while (a.depth > b.depth) a = a.parent;
    while (b.depth > a.depth) b = b.parent;
    while (a.parent !== b.parent) { a = a.parent; b = b.parent; }
    if (a === b) continue;
    if (!levels.has(a.parent)) levels.set(a.parent, []);
    levels.get(a.parent).push([a.at, b.at]);
  }
  // Inner ones first.
  for (const node of [...nodes].reverse()) {
    const text = node.text.trim();
    node.title = cut(opName(text), 34);
    const results = /^(%[^=]*?)\s*=/.exec(text);
    node.sub = cut(results ? results[1] : node.inputs || '', 34);
    node.tip = cut(node.inputs || text, 400);
    if (node.end > node.line) {
      node.fold = () => { if (!unfolded.delete(node.line)) unfolded.add(node.line); drawFlow(); };
      if (!unfolded.has(node.line)) node.sub = (node.sub ? node.sub + '  ' : '') + '{ ' + number(node.end - node.line + 1) + ' lines }';
    }
    node.open = () => go(node.line);
    node.on = node.line === selected;
    node.w = Math.max(60, wide(node.title) + (node.fold ? 18 : 0), wide(node.sub));
    node.h = node.sub ? 38 : 26;
    if (node.children.length) {
      const size = layered(node.children, levels.get(node) || []);
      node.inner = true;
      node.w = Math.max(node.w, size.w + 24);
      node.h = size.h + 60;
    }
  }
  const size = layered(root.children, levels.get(root) || []);
  const total = stopped < end ? 'more' : number(all);
  const what = symbol < 0 ? meta.name : '@' + symbols[symbol][0];
  const canGoOn = stopped < end;
  const buttons = [];
  if (canGoOn || flowFrom) {
    buttons.push(['‹ previous', () => { flowFrom = Math.max(0, flowFrom - MOST); drawFlow(); }, !flowFrom]);
    buttons.push(['next ›', () => { flowFrom += Math.max(1, tops); drawFlow(); }, !canGoOn]);
  }
  const foldable = nodes.filter(node => node.fold);
  buttons.push(['unfold', () => { foldable.forEach(node => unfolded.add(node.line)); drawFlow(); }, !foldable.some(node => !unfolded.has(node.line))]);
  buttons.push(['fold', () => { foldable.forEach(node => unfolded.delete(node.line)); drawFlow(); }, !foldable.some(node => unfolded.has(node.line))]);
  const part = canGoOn || flowFrom ? 'operations ' + number(flowFrom + 1) + ' to ' + number(flowFrom + tops) + ' of ' + total : number(shownOps) + ' operations';
  const put = picture(box, cut(what, 60), part, buttons);
  if (!nodes.length) { box.lastChild.appendChild(el('div', 'empty', 'There are no operations in it.')); return; }
  const shape = svg('svg', {});
  const paths = [];
  // Outer boxes are behind the edges, and these behind the inner nodes.
  const boxes = svg('g', {}), arcs = svg('g', {}), leaves = svg('g', {});
  for (const node of nodes) {
    const outer = node.parent === root ? { X: 20, Y: 20 } : { X: node.parent.X + 12, Y: node.parent.Y + 46 };
    node.X = outer.X + node.x;
    node.Y = outer.Y + node.y;
  }
  nodes.forEach(node => drawNode(node, node.inner ? boxes : leaves, paths));
  const arrows = [...edges.values()].slice(0, 6000);
  arrows.forEach(arrow => { if (arrow.from.parent === arrow.to.parent) arrow.way = arrow.from.bends.get(arrow.to.at); });
  paths.push(...drawEdges(arrows, arcs));
  shape.append(boxes, arcs, leaves);
  put(shape, size.w + 40, size.h + 40);
};

// ---- who refers to whom ----

const drawCalls = () => {
  const box = $('graph');
  const calls = raw('calls') || [];
  const centre = current >= 0 ? current : 0;
  let used = new Set();
  calls.forEach(([from, to]) => { used.add(from); used.add(to); });
  let title = 'References between symbols', facts = number(used.size) + ' symbols, ' + number(calls.length) + ' edges';
  if (used.size > 150) {
    // The neighbourhood of the current symbol.
    const near = new Map();
    calls.forEach(([from, to]) => {
      (near.get(from) || near.set(from, []).get(from)).push(to);
      (near.get(to) || near.set(to, []).get(to)).push(from);
    });
    used = new Set([centre]);
    for (const i of used) {
      for (const j of near.get(i) || []) if (used.size < 60) used.add(j);
      if (used.size >= 60) break;
    }
    title = 'Around @' + cut(symbols[centre] ? symbols[centre][0] : '', 50);
    facts = number(used.size) + ' of ' + facts;
  }
  // Callers come before callees where there is no cycle.
  const out = new Map();
  calls.forEach(([from, to]) => { if (used.has(from) && used.has(to) && from !== to) (out.get(from) || out.set(from, []).get(from)).push(to); });
  const done = [], state = new Map();
  for (const start of used) {
    if (state.has(start)) continue;
    const stack = [[start, 0]];
    state.set(start, 1);
    while (stack.length) {
      const top = stack[stack.length - 1], next = (out.get(top[0]) || [])[top[1]++];
      if (next === undefined) { done.push(top[0]); stack.pop(); }
      else if (!state.has(next)) { state.set(next, 1); stack.push([next, 0]); }
    }
  }
  const order = done.reverse(), at = new Map(order.map((i, place) => [i, place]));
  const nodes = order.map(i => {
    const [name, op, first, , , ops] = symbols[i];
    const node = { title: '@' + cut(name, 34), sub: op + ' · ' + number(ops), tip: '@' + name, on: i === current, h: 38 };
    node.w = Math.max(80, wide(node.title), wide(node.sub));
    node.open = () => go(first);
    return node;
  });
  const pairs = calls.filter(([from, to]) => from !== to && at.has(from) && at.has(to));
  const put = picture(box, title, facts, []);
  if (!nodes.length || !calls.length) { box.lastChild.appendChild(el('div', 'empty', 'No symbol refers to another one.')); return; }
  const size = layered(nodes, pairs.map(([from, to]) => [at.get(from), at.get(to)]));
  nodes.forEach(node => { node.X = node.x + 20; node.Y = node.y + 20; });
  const shape = svg('svg', {}), arcs = svg('g', {}), leaves = svg('g', {}), paths = [];
  nodes.forEach(node => drawNode(node, leaves, paths));
  paths.push(...drawEdges(pairs.map(([from, to, count]) => {
    const node = nodes[at.get(from)];
    return { from: node, to: nodes[at.get(to)], count, way: node.bends.get(at.get(to)) };
  }), arcs));
  shape.append(arcs, leaves);
  put(shape, size.w + 40, size.h + 40);
};

// ---- resources and sizes ----

let sorted = [3, -1], most = 200;
const histogram = bins => {
  const shape = svg('svg', { width: 160, height: 34, viewBox: '0 0 160 34' });
  const top = Math.max(...bins, 1);
  bins.forEach((bin, i) => {
    const height = bin ? Math.max(1, 32 * bin / top) : 0;
    shape.appendChild(svg('rect', { x: i * 5, y: 34 - height, width: 4, height }));
  });
  shape.appendChild(svg('title', {}, bins.map(number).join(' ')));
  return shape;
};
const drawData = () => {
  const box = $('data'), rows = [...(raw('resources') || [])];
  clear(box);
  if (!rows.length) { box.appendChild(el('div', 'empty', 'The module has no constants or resources with data.')); return; }
  const [by, sign] = sorted;
  rows.sort((a, b) => sign * (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0));
  const table = el('table'), head = el('tr');
  [['name', 0], ['kind', 1], ['type', 2], ['bytes', 3], ['users', 4], ['distribution', -1], ['range, mean, deviation', -1]].forEach(([title, key]) => {
    const th = el('th', key === 3 || key === 4 ? 'num' : '', title + (key === by ? (sign < 0 ? ' ↓' : ' ↑') : ''));
    if (key >= 0) th.addEventListener('click', () => { sorted = [key, by === key ? -sign : key > 2 ? -1 : 1]; drawData(); });
    head.appendChild(th);
  });
  table.appendChild(head);
  rows.slice(0, most).forEach(row => {
    const [name, kind, type, size, users, count, bins, min, max, mean, std, sampled, zeros, nans, infinities] = row;
    const tr = el('tr');
    const first = el('td', 'mono');
    if (kind === 'resource') {
      const a = link(name, () => searchFor('dense_resource<' + name));
      a.className = 'link';
      first.appendChild(a);
    } else first.textContent = name;
    tr.append(first, el('td', 'dim', kind), el('td', 'mono t', type));
    tr.append(el('td', 'num', bytes(size)), el('td', 'num', number(users)));
    const drawn = el('td'), facts = el('td', 'mono dim');
    if (bins) {
      drawn.appendChild(histogram(bins));
      const short = text => text === '' ? '–' : String(+(+text).toPrecision(4));
      let text = short(min) + ' … ' + short(max) + ',  ' + short(mean) + ' ± ' + short(std);
      const notes = [];
      if (zeros) notes.push(number(zeros) + ' zero');
      if (nans) notes.push(number(nans) + ' NaN');
      if (infinities) notes.push(number(infinities) + ' infinite');
      if (sampled < count) notes.push('sample of ' + number(sampled) + ' of ' + number(count));
      facts.append(text);
      if (notes.length) facts.append(el('br'), notes.join(', '));
    }
    tr.append(drawn, facts);
    table.appendChild(tr);
  });
  box.appendChild(table);
  if (rows.length > most) {
    const more = el('button', '', 'Show more of ' + number(rows.length));
    more.addEventListener('click', () => { most += 500; drawData(); });
    box.appendChild(more);
  }
};
const drawSizes = () => {
  const box = $('sizes'), template = $('treemap');
  if (box.firstChild) return;
  box.appendChild(template ? template.content.cloneNode(true) : el('div', 'empty', 'Sizes are not known.'));
};

// ---- panes ----

let pane = 'text';
const panes = {
  text: { title: 'Assembly', draw: () => code.paint() },
  flow: { title: 'Data flow', draw: drawFlow },
  graph: { title: 'References', draw: drawCalls },
  sizes: { title: 'Sizes', draw: drawSizes },
  data: { title: 'Resources', draw: drawData },
};
const show = name => {
  pane = name;
  tip.hidden = true;
  for (const key in panes) {
    $(key).hidden = key !== name;
    panes[key].tab.setAttribute('aria-selected', key === name);
  }
  panes[name].draw();
};
for (const key in panes) {
  const tab = panes[key].tab = el('button', '', panes[key].title);
  tab.setAttribute('role', 'tab');
  tab.id = 'tab-' + key;
  tab.addEventListener('click', () => show(key));
  $('tabs').appendChild(tab);
}
$('name').textContent = meta.name;
$('facts').textContent = [bytes(meta.size), number(meta.ops) + ' operations', number(meta.lines) + ' lines', 'bytecode ' + meta.version, meta.producer].filter(Boolean).join(' · ');
if (meta.notes.length) {
  $('notes').hidden = false;
  meta.notes.forEach(note => $('notes').appendChild(el('p', '', note)));
}
listed.refresh();
code.set(meta.lines);
show('text');
document.documentElement.dataset.ready = Math.round(performance.now());
// What is further down in the file is there now.
document.addEventListener('DOMContentLoaded', () => { fromHash(); code.paint(); if (pane !== 'text') panes[pane].draw(); });
})();
